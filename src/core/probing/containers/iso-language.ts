/** Codes below this value are Macintosh language codes ("QuickTime File Format", Language Code Values). */
const FIRST_PACKED = 0x4_00
const UNSPECIFIED = 0x7f_ff

/** ffmpeg's language names, indexed by Macintosh code; `-` marks a code without a name. */
const MACINTOSH =
  `eng fra ger ita dut sve spa dan por nor heb jpn ara fin gre ice mlt tur hr chi urd hin tha kor lit pol hun est
  lav - fo - rus chi - iri alb ron ces slk slv yid sr mac bul ukr bel`.split(/\s+/)

/** Returns the language of a media header: three letters of five bits each (ISO/IEC 14496-12 8.4.2), or a Macintosh code. */
export function decodeIsoLanguage(code: number): string | undefined {
  if (code >= FIRST_PACKED && code !== UNSPECIFIED) {
    const language = String.fromCharCode(...[10, 5, 0].map((shift) => 0x60 + ((code >> shift) & 0x1f)))
    return language === 'und' ? undefined : language
  }
  const name = MACINTOSH[code]
  return name === '-' ? undefined : name
}
