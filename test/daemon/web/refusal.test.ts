import t from 'tap'
import { asSentence, refusalOf } from '../../../src/daemon/web/refusal.ts'

void t.test('messages of the server are shown as sentences', (t) => {
  for (const [text, sentence] of [
    ['a PIN is 4 or 6 digits', 'A PIN is 4 or 6 digits.'],
    ['The PIN is wrong', 'The PIN is wrong.'],
    ['Not at this time', 'Not at this time.'],
    ['übrig sind zwei', 'Übrig sind zwei.'],
    ['Is it on?', 'Is it on?'],
    ['It is on.', 'It is on.'],
    // The name of a field stays as it is sent.
    ['setup_code is wrong; `phlix setup:code` prints it', 'setup_code is wrong; `phlix setup:code` prints it.'],
    ['"grown-up" is not known (yet)', '"grown-up" is not known (yet).'],
    ['', ''],
  ] as const)
    t.equal(asSentence(text), sentence)
  t.end()
})

void t.test('an error says when the request may be repeated, with the clock of the browser', async (t) => {
  const reply = (status: number, body: object, headers = {}) => new Response(JSON.stringify(body), { status, headers })
  const body = { error: 'Not at this time', code: 'AccessSchedule', allowed_at: '2026-03-01T13:00:00Z' }
  const when = new Date(body.allowed_at)
  const error = await refusalOf(reply(403, body))
  t.equal(error.code, 'AccessSchedule')
  const text = when.toLocaleString([], { weekday: 'long', hour: 'numeric', minute: '2-digit' })
  t.equal(error.message, `Not at this time. Again from ${text}.`)
  const busy = await refusalOf(reply(429, { error: 'Too many requests' }, { 'retry-after': '120' }))
  t.equal(busy.message, 'Too many requests. Try again in 2 minutes.')
  t.equal((await refusalOf(new Response('no JSON', { status: 502 }))).message, 'The server answered 502.')
})
