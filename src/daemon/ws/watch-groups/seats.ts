import type { WatchGroup } from '../../../core/watch-together/index.ts'

/** A client of a group: a connection of this process, or one of another process of the same database. */
export type Peer = {
  /** UUID of the connection. */
  readonly id: string
  readonly person: { id: string; username: string }
  /** The session of its token. */
  readonly sessionId: string
  /** The process of the connection; null for this one. */
  readonly processId: string | null
  isOpen(): boolean
  /** Sends one JSON text. */
  send(text: string): void
}

/** The seat of a client. */
export type PeerSeat = { peer: Peer; groupId: string; memberId: string; resumeToken: string }

/** Which client has which seat. A client has one seat at most, and a seat one client. */
export type Seats = {
  /** @returns the seat that another client has lost by this, if any */
  set(seat: PeerSeat): PeerSeat | undefined
  ofPeer(peerId: string): PeerSeat | undefined
  ofMember(memberId: string): PeerSeat | undefined
  remove(peerId: string): PeerSeat | undefined
  /** The seats of the connected members of a group. */
  inGroup(group: WatchGroup): PeerSeat[]
  /** All seats of a group, also while its state is unknown. */
  withGroupId(groupId: string): PeerSeat[]
  all(): PeerSeat[]
}

export function createSeats(): Seats {
  const byPeer = new Map<string, PeerSeat>()
  const byMember = new Map<string, PeerSeat>()

  function remove(peerId: string): PeerSeat | undefined {
    const seat = byPeer.get(peerId)
    if (seat === undefined) return undefined
    byPeer.delete(peerId)
    byMember.delete(seat.memberId)
    return seat
  }

  return {
    set(seat) {
      const holder = byMember.get(seat.memberId)
      const lost = holder !== undefined && holder.peer.id !== seat.peer.id ? remove(holder.peer.id) : undefined
      remove(seat.peer.id)
      byPeer.set(seat.peer.id, seat)
      byMember.set(seat.memberId, seat)
      return lost
    },
    ofPeer: (peerId) => byPeer.get(peerId),
    ofMember: (memberId) => byMember.get(memberId),
    remove,
    inGroup: ({ members }) => [...members.keys()].flatMap((memberId) => byMember.get(memberId) ?? []),
    withGroupId: (groupId) => [...byPeer.values()].filter((seat) => seat.groupId === groupId),
    all: () => [...byPeer.values()],
  }
}
