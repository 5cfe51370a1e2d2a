import { useMemo } from 'preact/hooks'
import { replyOf, type Reply } from './replies.ts'

/** The reply of an address; the component is drawn again when it changes. `version` asks again when it changes. */
export function useReply<Data>(address: string, version = 0): Reply<Data> {
  const reply = useMemo(() => replyOf<Data>(address), [address, version])
  return reply.value
}
