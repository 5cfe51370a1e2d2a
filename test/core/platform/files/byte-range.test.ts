import t from 'tap'
import { parseByteRange, type ByteRange } from '../../../../src/core/platform/files/index.ts'

const SIZE = 1000
const whole: ByteRange = { kind: 'whole' }
const unsatisfiable: ByteRange = { kind: 'unsatisfiable' }
const part = (start: number, end: number): ByteRange => ({ kind: 'part', start, end })

const ROWS: [rule: string, header: string | undefined, expected: ByteRange, sizeBytes?: number][] = [
  ['no header', undefined, whole],
  ['RG-01 first byte', 'bytes=0-0', part(0, 0)],
  ['RG-01 open end', 'bytes=0-', part(0, 999)],
  ['RG-01 middle', 'bytes=200-299', part(200, 299)],
  ['RG-01 last byte', 'bytes=-1', part(999, 999)],
  ['RG-01 suffix longer than the file', 'bytes=-999999', part(0, 999)],
  ['RG-01 end clamped to the file', 'bytes=900-5000', part(900, 999)],
  ['RG-01 ends before it starts', 'bytes=5-4', unsatisfiable],
  ['RG-01 starts at the size', 'bytes=1000-', unsatisfiable],
  ['RG-01 starts at the last byte', 'bytes=999-', part(999, 999)],
  ['suffix of no bytes', 'bytes=-0', unsatisfiable],
  ['unit in capitals', 'Bytes=0-1', part(0, 1)],
  ['leading zeros', 'bytes=0001-0002', part(1, 2)],
  ['RG-02 two ranges', 'bytes=0-1,5-6', whole],
  ['RG-02 a thousand ranges', `bytes=${'0-1,'.repeat(1000)}0-1`, whole],
  ['RG-03 letters', 'bytes=abc', whole],
  ['RG-03 other unit', 'items=0-1', whole],
  ['RG-03 semicolon', 'bytes=0-1;', whole],
  ['RG-03 only a dash', 'bytes=-', whole],
  ['RG-03 exponent', 'bytes=1e3-', whole],
  ['RG-03 hexadecimal', 'bytes=0x0-1', whole],
  ['RG-03 space', 'bytes= 0-1', whole],
  ['RG-03 negative end', 'bytes=0--1', whole],
  ['RG-03 sign', 'bytes=+0-1', whole],
  ['RG-03 digits of another script', 'bytes=०-१', whole],
  ['RG-03 empty', '', whole],
  ['RG-03 unit alone', 'bytes=', whole],
  ['RG-03 20 digits as start', 'bytes=99999999999999999999-', unsatisfiable],
  ['RG-03 20 digits as end', 'bytes=0-99999999999999999999', part(0, 999)],
  ['RG-03 20 digits as suffix', 'bytes=-99999999999999999999', part(0, 999)],
  ['RG-03 more digits than a number can hold', `bytes=${'9'.repeat(400)}-`, unsatisfiable],
  ['RG-03 the same twice', `bytes=${'9'.repeat(400)}-${'9'.repeat(400)}`, unsatisfiable],
  ['RG-04 empty file without range', undefined, whole, 0],
  ['RG-04 empty file, open range', 'bytes=0-', unsatisfiable, 0],
  ['RG-04 empty file, suffix', 'bytes=-1', unsatisfiable, 0],
  ['RG-04 empty file, bad syntax', 'bytes=x', whole, 0],
  ['a file of more than 4 GiB', 'bytes=5000000000-', part(5_000_000_000, 5_999_999_999), 6_000_000_000],
]

void t.test('a Range header is parsed according to RFC 9110 and the project rules', (t) => {
  for (const [rule, header, expected, sizeBytes = SIZE] of ROWS) {
    t.strictSame(parseByteRange(header, sizeBytes), expected, rule)
  }
  t.end()
})

void t.test('a range is always inside the file', (t) => {
  const numbers = ['', '0', '1', '9', '10', '11', '99999999999999999999']
  for (const first of numbers) {
    for (const last of numbers) {
      for (const sizeBytes of [0, 1, 10]) {
        const range = parseByteRange(`bytes=${first}-${last}`, sizeBytes)
        if (range.kind !== 'part') continue
        const isInside = range.start >= 0 && range.start <= range.end && range.end < sizeBytes
        t.ok(isInside, `bytes=${first}-${last} of ${sizeBytes}: ${range.start}-${range.end}`)
      }
    }
  }
  t.end()
})
