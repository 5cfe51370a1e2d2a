import t from 'tap'
import { apiKeyDigest, generateApiKey, isApiKeyText } from '../../../src/core/api-keys/key-text.ts'

void t.test('a key has a prefix, 256 random bits and a checksum', async (t) => {
  const keys = Array.from({ length: 500 }, () => generateApiKey())
  for (const { key, hint, digest } of keys) {
    t.match(key, /^phlix_[0-9A-Za-z]{49}$/)
    t.ok(isApiKeyText(key))
    t.equal(hint, key.slice(0, 10))
    t.strictSame(digest, apiKeyDigest(key))
  }
  t.equal(new Set(keys.map(({ key }) => key)).size, keys.length)
})

void t.test('a text with a wrong checksum, length or letter is no key', async (t) => {
  const { key } = generateApiKey()
  const swapped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`
  const others = ['', 'phlix_', key.slice(1), key.slice(0, -1), `${key}0`, swapped, key.toUpperCase(), `${key}\n`]
  for (const text of [...others, ` ${key}`, key.replace('_', '-'), 'a'.repeat(1_000_000)]) t.notOk(isApiKeyText(text))
})

void t.test('the checksum is the CRC-32 of the random part', async (t) => {
  // Computed with another program.
  t.ok(isApiKeyText(`phlix_${'0'.repeat(43)}2CZclj`))
})
