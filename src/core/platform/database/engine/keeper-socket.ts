import { connect, type Socket } from 'node:net'
import type { EnginePaths } from './engine-paths.ts'

/** What the keeper says to everyone who connects, once the server takes connections. */
export const READY_LINE = 'ready\n'

/**
 * Takes a lease: a connection to the keeper that lasts as long as the database is needed. The kernel ends it with this process,
 * however that dies.
 * @returns the socket once the keeper says ready; undefined when no keeper answers, or none whose server comes up in time
 */
export function takeLease(paths: EnginePaths, limitMilliseconds: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(paths.keeperSocket)
    let received = ''
    const giveUp = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(undefined)
    }
    const timer = setTimeout(giveUp, limitMilliseconds)
    socket.setEncoding('utf8')
    socket.once('error', giveUp)
    socket.once('close', giveUp)
    socket.on('data', (text: string) => {
      received += text
      if (!received.startsWith(READY_LINE)) return
      clearTimeout(timer)
      socket.removeAllListeners()
      socket.resume()
      resolve(socket)
    })
  })
}
