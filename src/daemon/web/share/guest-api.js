import { asSentence } from '../refusal.ts'

/** Requests of a guest. The cookie of the link is sent by the browser; no token of an account is used here. */

/** What the server's codes mean to a guest. Others are shown in the words of the server. */
const TEXTS = new Map([
  ['share_not_found', 'There is no such link. Check that the whole address was copied.'],
  ['share_not_open', 'This link is not open any more. Load the page again.'],
  ['share_revoked', 'This link was withdrawn by the person who made it. Ask the person who sent it to you.'],
  ['share_expired', 'This link has expired. Ask the person who sent it to you for a new one.'],
  [
    'share_used_up',
    'This link was already opened as often as it may be. Ask the person who sent it to you for a new one.',
  ],
  ['share_password_wrong', 'The password is not right.'],
  ['share_item_not_found', 'This is not part of the link any more.'],
  ['AccessSchedule', 'This link does not play at this time.'],
  [
    'StreamLimitExceeded',
    'Too much is being played with this link or by the person who made it. Try again in a minute.',
  ],
])

/** JSON of a GET, or of a POST if there is a body. Rejects with an error for the guest; `code` is that of the server. */
export async function callAsGuest(address, body) {
  let reply
  try {
    reply = await fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (error) {
    throw new Error('The server does not answer.', { cause: error })
  }
  if (!reply.ok) throw await refusalOf(reply)
  return reply.json()
}

async function refusalOf(reply) {
  const { message, error, code } = await reply.json().catch(() => ({}))
  const text = TEXTS.get(code) ?? (reply.status === 429 ? tooManyTries(reply) : undefined)
  return Object.assign(new Error(text ?? asSentence(message ?? error ?? `The server answered ${reply.status}`)), {
    code,
  })
}

function tooManyTries(reply) {
  const minutes = Math.ceil(Number(reply.headers.get('retry-after') ?? 60) / 60)
  return `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
