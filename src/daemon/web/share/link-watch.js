import { callAsGuest } from './guest-api.js'

const CHECK_MILLISECONDS = 3000

/** Why nothing of a link plays any more. Other failures pass: what is buffered plays on. */
const ENDS = new Set([
  'AccessSchedule',
  'share_expired',
  'share_not_found',
  'share_not_open',
  'share_revoked',
  'share_used_up',
])

/**
 * Asks the server every few seconds whether a link is still open while something of it plays, and once when it stops: what is buffered would play
 * on after the end of the link, and a player that the server refuses does not know that it is the end of the whole link.
 * @param {HTMLMediaElement[]} elements what plays
 * @param {() => string} addressOfState
 * @param {(reason: string) => void} onEnd
 */
export function watchLink(elements, addressOfState, onEnd) {
  let timer
  let [hasBegun, hasEnded] = [false, false]
  const isPlaying = () => elements.some((element) => !element.paused && !element.ended)

  async function check() {
    try {
      await callAsGuest(addressOfState())
    } catch (error) {
      if (!ENDS.has(error.code) || hasEnded) return
      hasEnded = true
      onEnd(error.message)
    }
  }

  async function follow() {
    timer = undefined
    if (!isPlaying()) return
    await check()
    begin()
  }

  function begin() {
    hasBegun = true
    if (isPlaying()) timer ??= setTimeout(() => void follow(), CHECK_MILLISECONDS)
  }

  function finish() {
    if (hasBegun && !hasEnded) void check()
  }

  for (const element of elements) {
    element.addEventListener('playing', begin)
    for (const type of ['error', 'emptied']) element.addEventListener(type, finish)
  }
}
