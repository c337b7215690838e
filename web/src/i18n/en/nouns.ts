// English words that single entities add to their lists and forms.
export const nounsEn = {
  adjustmentSign: 'Positive: the network owes it to the partner. Negative: the partner owes it, as for scrub and fee.',
  partner: {
    paymentNote:
      'For terms in words. Do not enter bank details here: they belong in the billing above, where they are stored encrypted.',
  },
  spend: {
    claimHint: 'Counts once a manager has accepted it',
    currencyFilled: 'If empty, the report currency is used',
    declineHint: 'Empty it to decline the claim',
  },
  retention: {
    personal_data_days:
      'After that, the last part of each IP address is deleted, once a month, when the whole month is older.',
    click_months:
      'Leave empty to keep them for ever. For older months, only daily totals by partner offer, site and landing remain. Reports still count these clicks, but not by sub ID, promo code, visitor’s country or click. Single clicks can no longer be listed, traced or exported, reports by click lose their players, and late postbacks for these clicks find no partner. This cannot be undone.',
    postback_months:
      'Leave empty to keep them for ever. Older postbacks, received and sent, are deleted a month at a time: lists, traces and player timelines no longer show them, and they cannot be resent. Players, events and money stay.',
    attempt_months:
      'Leave empty to keep them for ever. For older postbacks, only the final outcome stays, not the response of the partner’s server to each attempt.',
    audit_months:
      'Leave empty to keep it for ever. Older changes can no longer be found, undone or restored, and nobody can see who made them.',
    fact_log_months:
      'Leave empty to keep it for ever. For older months, reports “as known on” an earlier day and the changes since then are no longer available. Current numbers stay.',
  },
  addPartner: 'Add a partner',
  filled: 'If empty, it is copied from the payment model or the advertiser',
  filledByModel: 'If empty, the payment model’s share applies',
  filledByOffer: 'If empty, it is copied from the offer',
  paymentModelChanged:
    'The payment model has been changed. Spend entered for the old one is kept: remove it by hand where it no longer applies.',
  check: {
    title: 'Before you can create the partner offer',
    broken: 'Why this partner offer does not work',
    ready: 'The partner offer can be created: fill in the form and save',
    choose: 'Choose an offer, a partner and a stream to see whether the partner offer can be created.',
    offerApproved: 'The offer is approved and active',
    partnerApproved: 'The partner is approved and active',
    mediaId: 'The advertiser has a media ID in this country',
    domain: 'The advertiser has a domain in this country',
    stream: 'The stream is free for this offer’s country',
    trafficSource: 'The traffic source is free for this stream',
    mendOffer: 'Open the offer',
    mendPartner: 'Open the partner',
    mendAdvertiser: 'Open the advertiser’s countries',
    unknown: 'is checked when you save',
    done: 'in place',
    missing: 'missing',
  },
  postbacks: {
    title: 'Postback templates for the advertiser',
    text: 'Ready to paste: the advertiser’s system replaces the macros in braces.',
    events: { reg: 'Registration', dep: 'Deposit', bet: 'Bet' },
    later: 'The main postback URL is created with the partner offer.',
  },
  macros: {
    title: 'Macros',
    text: 'Highlighted macros are in the advertiser link. Click to copy.',
    copy: 'Copy {{macro}}',
  },
  history: {
    text: 'What applies from which day on. Ranges of one term never overlap; without an end it applies until changed.',
  },
} as const
