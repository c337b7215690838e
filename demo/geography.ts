// The sixty markets of the demo network: code, title, currency, weight of traffic, languages, other names of the country.

export interface Market {
  readonly code: string
  readonly title: string
  readonly currency: string
  readonly weight: number
  readonly language: string
  readonly names: readonly string[]
}

/** Units of report currency (EUR) for one unit, on the first day of the demo's history. */
export const CURRENCIES: readonly { value: string; title: string; rate: number }[] = [
  { value: 'EUR', title: 'Euro', rate: 1 },
  { value: 'USD', title: 'US dollar', rate: 0.92 },
  { value: 'GBP', title: 'Pound sterling', rate: 1.16 },
  { value: 'PLN', title: 'Polish złoty', rate: 0.23 },
  { value: 'BRL', title: 'Brazilian real', rate: 0.16 },
  { value: 'INR', title: 'Indian rupee', rate: 0.0104 },
  { value: 'KZT', title: 'Kazakhstani tenge', rate: 0.00178 },
  { value: 'CAD', title: 'Canadian dollar', rate: 0.64 },
  { value: 'AUD', title: 'Australian dollar', rate: 0.57 },
  { value: 'NOK', title: 'Norwegian krone', rate: 0.085 },
]

const market = (
  code: string,
  title: string,
  currency: string,
  weight: number,
  language: string,
  ...names: string[]
): Market => ({
  code,
  title,
  currency,
  weight,
  language,
  names,
})

export const MARKETS: readonly Market[] = [
  market('DE', 'Germany', 'EUR', 100, 'de', 'Deutschland', 'Allemagne'),
  market('BR', 'Brazil', 'BRL', 92, 'pt', 'Brasil'),
  market('IN', 'India', 'INR', 84, 'hi', 'Bharat'),
  market('PL', 'Poland', 'PLN', 74, 'pl', 'Polska'),
  market('CA', 'Canada', 'CAD', 62, 'en'),
  market('IT', 'Italy', 'EUR', 56, 'it', 'Italia'),
  market('ES', 'Spain', 'EUR', 50, 'es', 'España'),
  market('KZ', 'Kazakhstan', 'KZT', 47, 'ru', 'Қазақстан', 'Казахстан'),
  market('PT', 'Portugal', 'EUR', 41, 'pt'),
  market('AU', 'Australia', 'AUD', 38, 'en'),
  market('NO', 'Norway', 'NOK', 34, 'no', 'Norge'),
  market('FI', 'Finland', 'EUR', 33, 'fi', 'Suomi'),
  market('AT', 'Austria', 'EUR', 30, 'de', 'Österreich'),
  market('GB', 'United Kingdom', 'GBP', 29, 'en', 'UK', 'Great Britain', 'England'),
  market('FR', 'France', 'EUR', 27, 'fr'),
  market('CZ', 'Czechia', 'EUR', 25, 'cs', 'Czech Republic', 'Česko'),
  market('HU', 'Hungary', 'EUR', 24, 'hu', 'Magyarország'),
  market('RO', 'Romania', 'EUR', 22, 'ro', 'România'),
  market('GR', 'Greece', 'EUR', 20, 'el', 'Hellas', 'Ελλάδα'),
  market('TR', 'Türkiye', 'USD', 19, 'tr', 'Turkey', 'Turkiye'),
  market('MX', 'Mexico', 'USD', 18, 'es', 'México'),
  market('AR', 'Argentina', 'USD', 17, 'es'),
  market('CL', 'Chile', 'USD', 16, 'es'),
  market('PE', 'Peru', 'USD', 15, 'es', 'Perú'),
  market('CO', 'Colombia', 'USD', 14, 'es'),
  market('BD', 'Bangladesh', 'USD', 14, 'bn'),
  market('NZ', 'New Zealand', 'AUD', 13, 'en', 'Aotearoa'),
  market('IE', 'Ireland', 'EUR', 12, 'en', 'Éire'),
  market('CH', 'Switzerland', 'EUR', 12, 'de', 'Schweiz', 'Suisse'),
  market('SE', 'Sweden', 'EUR', 11, 'sv', 'Sverige'),
  market('DK', 'Denmark', 'EUR', 10, 'da', 'Danmark'),
  market('NL', 'Netherlands', 'EUR', 10, 'nl', 'Holland', 'Nederland'),
  market('BE', 'Belgium', 'EUR', 9, 'nl', 'België', 'Belgique'),
  market('SK', 'Slovakia', 'EUR', 9, 'sk', 'Slovensko'),
  market('SI', 'Slovenia', 'EUR', 8, 'sl', 'Slovenija'),
  market('HR', 'Croatia', 'EUR', 8, 'hr', 'Hrvatska'),
  market('BG', 'Bulgaria', 'EUR', 7, 'bg', 'България'),
  market('RS', 'Serbia', 'EUR', 7, 'sr', 'Srbija'),
  market('LV', 'Latvia', 'EUR', 6, 'lv', 'Latvija'),
  market('LT', 'Lithuania', 'EUR', 6, 'lt', 'Lietuva'),
  market('EE', 'Estonia', 'EUR', 6, 'et', 'Eesti'),
  market('AZ', 'Azerbaijan', 'USD', 6, 'az', 'Azərbaycan'),
  market('UZ', 'Uzbekistan', 'USD', 5, 'uz', "O'zbekiston"),
  market('GE', 'Georgia', 'USD', 5, 'ka', 'Sakartvelo'),
  market('AM', 'Armenia', 'USD', 5, 'hy', 'Hayastan'),
  market('MD', 'Moldova', 'EUR', 4, 'ro', 'Republic of Moldova'),
  market('KG', 'Kyrgyzstan', 'USD', 4, 'ru', 'Kyrgyz Republic'),
  market('JP', 'Japan', 'USD', 4, 'ja', 'Nippon'),
  market('KR', 'South Korea', 'USD', 4, 'ko', 'Korea, Republic of'),
  market('TH', 'Thailand', 'USD', 4, 'th'),
  market('VN', 'Vietnam', 'USD', 3, 'vi', 'Viet Nam'),
  market('PH', 'Philippines', 'USD', 3, 'en'),
  market('ID', 'Indonesia', 'USD', 3, 'id'),
  market('MY', 'Malaysia', 'USD', 3, 'ms'),
  market('NG', 'Nigeria', 'USD', 3, 'en'),
  market('KE', 'Kenya', 'USD', 2, 'en'),
  market('ZA', 'South Africa', 'USD', 2, 'en', 'RSA'),
  market('EG', 'Egypt', 'USD', 2, 'ar', 'Misr'),
  market('MA', 'Morocco', 'USD', 2, 'ar', 'Maroc'),
  market('EC', 'Ecuador', 'USD', 2, 'es'),
]
