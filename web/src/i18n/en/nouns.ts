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
      'Empty: for ever. Of older months only sums by day of partner offer, site and landing stay: reports count their clicks by these, but not by sub ID, promo code, visitor’s country or click; single clicks can no longer be listed, traced or exported, reports by click lose their players, and a late postback for such a click finds no partner. This cannot be undone.',
    postback_months:
      'Empty: for ever. Older postbacks, received and sent, are deleted by whole months: lists, traces and timelines of players no longer show them, and they cannot be sent again. Players, events and money stay.',
    attempt_months:
      'Empty: for ever. Of older postbacks only the last outcome stays, not what the partner’s server answered at each attempt.',
    audit_months:
      'Empty: for ever. Older changes can no longer be looked up, undone or restored, and nobody can tell who made them.',
    fact_log_months:
      'Empty: for ever. Reports as known on earlier days, and what changed since then, can no longer be told for older months. Numbers as known now stay.',
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
    title: 'Templates for the advertiser',
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
