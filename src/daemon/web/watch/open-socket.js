import { getValidAccessToken, renewAccessToken } from '../api.js'
import { renewSocketToken } from './renew-socket-token.js'

/** Any room that is no group. */
const ROOM = 'page'

/** Opens a WebSocket on the port of the page, with the token as a subprotocol: it must not be in an address. */
export async function openSocket() {
  const token = await getValidAccessToken()
  const address = new URL(`/api/v1/syncplay/${ROOM}`, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, ['bearer', token])
    renewSocketToken(socket, renewAccessToken)
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', () => reject(new Error('The server does not answer.')))
  })
}
