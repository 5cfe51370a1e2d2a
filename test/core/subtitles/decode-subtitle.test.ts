import t from 'tap'
import { decodeSubtitle } from '../../../src/core/subtitles/decode-subtitle.ts'

const RUSSIAN = 'Съешь же ещё этих мягких французских булок, да выпей чаю.\nКто там? Это я, почтальон Печкин.\n'
const FRENCH = "Voix ambiguë d'un cœur qui préfère les jattes de kiwis — à bientôt, élève !\n"
const POLISH = 'Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig.\n'

/** Encodes a text in a legacy encoding, by inverting the decoder for every byte and pair of bytes. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const known = new Map<string, number[]>()
  for (let first = 0; first < 256; first += 1) {
    const single = decoder.decode(Uint8Array.of(first))
    if (single.length === 1 && single !== '\u{FFFD}' && !known.has(single)) known.set(single, [first])
    for (let second = 0x30; first > 0x80 && second < 256; second += 1) {
      const pair = decoder.decode(Uint8Array.of(first, second))
      if (pair.length === 1 && !known.has(pair)) known.set(pair, [first, second])
    }
  }
  return Uint8Array.from(text.split('').flatMap((char) => known.get(char) ?? [0x3f]))
}

void t.test('Unicode is detected by its byte order mark, its zero bytes, or its validity', (t) => {
  const text = `1\n00:00:01,000 --> 00:00:02,000\n${RUSSIAN}`
  const wide = Buffer.from(text, 'utf16le')
  const cases: [name: string, bytes: Uint8Array][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with mark', Buffer.from(`\u{FEFF}${text}`)],
    ['UTF-16 LE with mark', Buffer.from(`\u{FEFF}${text}`, 'utf16le')],
    ['UTF-16 BE with mark', Buffer.from(`\u{FEFF}${text}`, 'utf16le').swap16()],
    ['UTF-16 LE', wide],
    ['UTF-16 BE', Buffer.from(wide).swap16()],
  ]
  for (const [name, bytes] of cases) t.equal(decodeSubtitle(bytes, 'und'), text, name)
  t.end()
})

void t.test('legacy encodings are detected by their letters, and by the language if it is known', (t) => {
  const cases: [encoding: string, language: string, text: string][] = [
    ['windows-1251', 'ru', RUSSIAN],
    ['windows-1251', 'und', RUSSIAN],
    ['koi8-r', 'ru', RUSSIAN],
    ['windows-1252', 'fr', FRENCH],
    ['windows-1252', 'und', FRENCH],
    ['windows-1250', 'pl', POLISH],
    ['windows-1253', 'el', 'Καλημέρα, τι κάνεις; Όλα καλά, ευχαριστώ πολύ.\n'],
    ['windows-1257', 'lt', 'Įlinkdama fechtuotojo špaga blykčiojusi pragręžė apvalų arbūzą.\n'],
    ['shift_jis', 'ja', 'こんにちは、世界。字幕のテストです。\n'],
    ['shift_jis', 'und', 'こんにちは、世界。これは字幕のテストです。ありがとうございます。\n'],
    ['euc-jp', 'ja', 'こんにちは、世界。字幕のテストです。\n'],
    ['gb18030', 'zh-CN', '你好，世界。这是字幕的测试。\n'],
    ['big5', 'zh', '你好，世界。這是字幕的測試。我們一起去看電影吧，好不好？\n'],
    ['euc-kr', 'ko', '안녕하세요, 세계. 자막 시험입니다.\n'],
  ]
  for (const [encoding, language, text] of cases) {
    t.equal(decodeSubtitle(encode(text, encoding), language), text, `${encoding}, ${language}`)
  }
  const escaped = Buffer.from('\u{1B}$B$3$s$K$A$O\u{1B}(B', 'latin1')
  t.equal(decodeSubtitle(escaped, 'ja'), 'こんにちは', 'ISO 2022, whose bytes are also ASCII')
  t.end()
})

void t.test('bytes that are not text decode without an error', (t) => {
  const noise = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7919 + (index >> 8)) % 256)
  for (const language of ['und', 'ru', 'ja', 'xx-unknown']) t.type(decodeSubtitle(noise, language), 'string')
  t.equal(decodeSubtitle(new Uint8Array(), 'und'), '')
  t.type(decodeSubtitle(Uint8Array.of(0xff), 'und'), 'string')
  t.type(decodeSubtitle(new Uint8Array(1000), 'und'), 'string')
  t.end()
})
