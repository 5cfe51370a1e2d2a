/** Two-letter codes of ISO 639 and the English names of their languages in lower case (CLDR 48, the names of `Intl.DisplayNames`). */
const NAMED_LANGUAGES = `
aa afar; ab abkhazian; ae avestan; af afrikaans; am amharic; an aragonese; ar arabic; as assamese; av avaric; ay
aymara; az azerbaijani; ba bashkir; be belarusian; bg bulgarian; bh bhojpuri; bi bislama; bm bambara; bn bangla; bo
tibetan; br breton; bs bosnian; ca catalan; ce chechen; ch chamorro; co corsican; cr cree; cs czech; cu church slavic;
cv chuvash; cy welsh; da danish; de german; dv divehi; dz dzongkha; ee ewe; el greek; en english; eo esperanto; es
spanish; et estonian; eu basque; fa persian; ff fula; fi finnish; fj fijian; fo faroese; fr french; fy western
frisian; ga irish; gd scottish gaelic; gl galician; gn guarani; gu gujarati; gv manx; ha hausa; hi hindi; ho hiri
motu; hr croatian; ht haitian creole; hu hungarian; hy armenian; hz herero; ia interlingua; ie interlingue; ig igbo;
ii sichuan yi; ik inupiaq; in indonesian; io ido; is icelandic; it italian; iu inuktitut; iw hebrew; ja japanese; jw
javanese; ka georgian; kg kongo; ki kikuyu; kj kuanyama; kk kazakh; kl kalaallisut; km khmer; kn kannada; ko korean;
kr kanuri; ks kashmiri; ku kurdish; kv komi; kw cornish; ky kyrgyz; la latin; lb luxembourgish; lg ganda; li
limburgish; ln lingala; lo lao; lt lithuanian; lu luba-katanga; lv latvian; mg malagasy; mh marshallese; mi māori; mk
macedonian; ml malayalam; mn mongolian; mr marathi; ms malay; mt maltese; my burmese; na nauru; nb norwegian bokmål;
nd north ndebele; ne nepali; ng ndonga; nl dutch; nn norwegian nynorsk; no norwegian; nr south ndebele; nv navajo; ny
nyanja; oc occitan; oj ojibwa; om oromo; or odia; os ossetic; pa punjabi; pi pali; pl polish; ps pashto; pt
portuguese; qu quechua; rm romansh; rn rundi; ro romanian; ru russian; rw kinyarwanda; sa sanskrit; sc sardinian; sd
sindhi; se northern sami; sg sango; sh serbian (latin); si sinhala; sk slovak; sl slovenian; sm samoan; sn shona; so
somali; sq albanian; sr serbian; ss swati; st southern sotho; su sundanese; sv swedish; sw swahili; ta tamil; te
telugu; tg tajik; th thai; ti tigrinya; tk turkmen; tl filipino; tn tswana; to tongan; tr turkish; ts tsonga; tt
tatar; tw akan; ty tahitian; ug uyghur; uk ukrainian; ur urdu; uz uzbek; ve venda; vi vietnamese; vo volapük; wa
walloon; wo wolof; xh xhosa; yi yiddish; yo yoruba; za zhuang; zh chinese; zu zulu
`

/** The codes by name: `french` is `fr`. Kept as text, because asking `Intl.DisplayNames` for all combinations of letters takes 25 ms. */
export const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMED_LANGUAGES.trim()
    .replaceAll('\n', ' ')
    .split('; ')
    .map((entry) => [entry.slice(3), entry.slice(0, 2)]),
)
