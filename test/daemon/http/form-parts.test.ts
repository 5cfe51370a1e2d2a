import t from 'tap'
import { readFormParts } from '../../../src/daemon/http/form-parts.ts'

const TYPE = 'multipart/form-data; boundary=x'

/** The parts as text. */
const parts = (body: string | Buffer, type = TYPE) =>
  [...readFormParts(Buffer.from(body), type)].map(({ name, isFile, bytes }) => [name, isFile, bytes.toString()])

const field = (name: string, content: string, rest = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`

void t.test('the forms of clients are read as Response.formData reads them', async (t) => {
  const form = new FormData()
  form.append('title', 'ä\r\n--x')
  form.append('avatar', new File([new Uint8Array([0, 13, 10, 45, 45, 255])], 'a "b"; c.png', { type: 'image/png' }))
  form.append('empty', new File([], ''))
  const request = new Response(form)
  const type = request.headers.get('content-type') ?? ''
  const body = Buffer.from(await request.arrayBuffer())
  const read = [...readFormParts(body, type)]
  t.strictSame(
    read.map(({ name }) => name),
    ['title', 'avatar', 'empty'],
  )
  t.strictSame(
    read.map(({ isFile }) => isFile),
    [false, true, false],
  )
  t.equal(read[0]?.bytes.toString(), 'ä\r\n--x')
  t.strictSame([...(read[1]?.bytes ?? [])], [0, 13, 10, 45, 45, 255])
  t.equal(read[1]?.bytes.buffer, body.buffer, 'not a copy')
  t.equal(read[2]?.bytes.length, 0)
})

void t.test('headers and boundaries in every form of the standard are read', async (t) => {
  const end = '--x--\r\n'
  t.strictSame(parts(field('a', '1') + field('a', '2', '; filename="f"') + end), [
    ['a', false, '1'],
    ['a', true, '2'],
  ])
  const head =
    'content-type: text/plain\r\nCONTENT-DISPOSITION:form-data;name=a ; filename*=utf-8\'\'f; filename="\\"f"'
  t.strictSame(parts(`--x\r\n${head}\r\n\r\n1\r\n${end}`), [['a', true, '1']])
  const quoted = 'Multipart/Form-Data; charset=utf-8; boundary="a b"'
  t.strictSame(parts(field('a', '1').replace('--x', '--a b') + '--a b--', quoted), [['a', false, '1']])
})

void t.test(
  'bytes that are no form have no parts, and a damaged form the parts before the damage (IN-08)',
  async (t) => {
    for (const type of [
      '',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'boundary=x',
      TYPE.replace('x', 'y'),
    ])
      t.strictSame(parts(`${field('a', '1')}--x--`, type), [], type)
    for (const body of ['', '--x', '--x--', '--x\r\n', 'text', field('a', '1'), `\r\n${field('a', '1')}--x--`])
      t.strictSame(parts(body), [], JSON.stringify(body))
    for (const head of [
      '',
      'a: b',
      'content-disposition: form-data',
      'content-disposition: attachment; name=a',
      ':',
      'x',
    ])
      t.strictSame(parts(`${field('a', '1')}--x\r\n${head}\r\n\r\n1\r\n--x--`), [['a', false, '1']], head)
    t.strictSame(parts(`${field('a', '1')}--x${'\r'.repeat(9)}--x--`), [['a', false, '1']])
    t.strictSame(parts(field('a'.repeat(9000), '1') + '--x--'), [], 'a head of more than 8 KiB')
  },
)

void t.test('a form has at most 100 parts (RL-10)', async (t) => {
  t.equal(parts(field('a', '1').repeat(100_000) + '--x--').length, 100)
})
