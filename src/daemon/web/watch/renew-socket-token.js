/** A new token is requested this long before the present one expires, or after half of its lifetime. */
const LEAD_SECONDS = 60

/** The longest timer of browsers. */
const MAX_MILLISECONDS = 2 ** 31 - 1

const TELLS_EXPIRY = /^\{"type":"(?:connected|auth_success)"/

/**
 * Renews the token of a connection before it expires: the server closes connections whose token has expired.
 * @param {WebSocket} socket
 * @param {() => Promise<string>} renewToken
 */
export function renewSocketToken(socket, renewToken) {
  let timer

  async function renew() {
    try {
      const token = await renewToken()
      if (socket.readyState === 1) socket.send(JSON.stringify({ type: 'auth_request', data: { token } }))
    } catch {
      // The server closes the connection at the end of its token. The next one is opened with a new token.
    }
  }

  socket.addEventListener('message', ({ data }) => {
    if (!TELLS_EXPIRY.test(data)) return
    const { expires_in: seconds } = JSON.parse(data).data
    if (!(seconds > 0)) return
    clearTimeout(timer)
    timer = setTimeout(
      () => void renew(),
      Math.min(Math.max(seconds - LEAD_SECONDS, seconds / 2) * 1000, MAX_MILLISECONDS),
    )
  })
  socket.addEventListener('close', () => clearTimeout(timer))
}
