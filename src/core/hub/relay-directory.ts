/** A home server that was authenticated by its enrolment token. */
export type AuthenticatedServer = {
  serverId: string
  /** Grows with each pairing and each renewal of the enrolment. Tokens of older generations are refused. */
  generation: number
}

/** The same, with the end of its token. */
export type EnrolledServer = AuthenticatedServer & { expiresAt: Date }

/** Whether a user may reach a server now. The order of the checks is the order of this list. */
export type ServerAccess =
  | { state: 'not_found' }
  /** It belongs to another user and is not shared with this user. */
  | { state: 'not_owned' }
  /** Paired, but three heartbeats are missing, or it is disabled. */
  | { state: 'offline' }
  | {
      state: 'online'
      isOwner: boolean
      /** The libraries that are shared with the user; null for all. */
      libraryIds: readonly string[] | null
      /** Null when it has none. */
      tunnel: StoredTunnel | null
    }

/** The open tunnel of a server, of any process of this hub. */
export type StoredTunnel = { tunnelId: string; processId: string; processAddress: string }

/** A tunnel that a process of the hub has accepted. */
export type TunnelOpening = AuthenticatedServer & {
  /** The process that holds the tunnel; unique for each start of the process. */
  processId: string
  /** The URL at which other processes of the hub reach this one, without a trailing slash. They use it only if it begins with `https:`. */
  processAddress: string
  /** The address of the home server, for the audit log. */
  remoteAddress: string
}

/** What ends tunnels and requests. It reaches all processes of the hub. */
export type DirectoryEvent =
  /** The server was disabled, removed or paired again: its tunnel and its requests end. */
  | { kind: 'server_revoked'; serverId: string }
  /** A user has lost the access to a server: the user's requests to it end. */
  | { kind: 'access_revoked'; serverId: string; userId: string }
  /** The token of the server was replaced: tunnels that older generations have opened drain and close. */
  | { kind: 'server_renewed'; serverId: string; generation: number }
  /** Another tunnel of the server has replaced this one: it drains and closes. */
  | { kind: 'tunnel_replaced'; serverId: string; tunnelId: string }
  /** The connection for events was lost for a while: every open tunnel and its requests have to be checked again. */
  | { kind: 'events_missed' }

/** What the relay of a hub reads about servers and users. The results come from the database and are valid for all processes of the hub. */
export type RelayDirectory = {
  /**
   * Reads the `Authorization` header of a home server: `Bearer` and its enrolment token.
   * @throws AppError kind `unauthenticated` when the token is missing, invalid, expired or of a server that is disabled or removed
   */
  authenticateServer(authorization: string | undefined): Promise<EnrolledServer>
  /**
   * Reads the `Authorization` header of a viewer: `Bearer` and the access token of a hub session.
   * @throws AppError `auth.required`, kind `unauthenticated`
   */
  authenticateViewer(authorization: string | undefined): Promise<{ userId: string }>
  /** A server id that is not a UUID is `not_found`. */
  findServer(input: { userId: string; serverId: string }): Promise<ServerAccess>
  /**
   * A token with which a request of the user is authenticated at the home server: `Authorization: Bearer`. It is valid for 15 minutes; a
   * caller may use one for several requests during its first 5 minutes, and discards it at `access_revoked`.
   */
  issueServerToken(input: { userId: string; serverId: string }): Promise<string>
  /**
   * Stores the tunnel as the one of its server, and notifies the process of the previous tunnel.
   * @throws AppError kind `unauthenticated` when the token of the server has become invalid since it was checked
   */
  tunnelOpened(input: TunnelOpening): Promise<{ tunnelId: string }>
  /** Removes the tunnel, unless another one has replaced it. */
  tunnelClosed(input: { serverId: string; tunnelId: string }): Promise<void>
  /**
   * Marks the tunnels of this process as alive; called every 20 seconds. Tunnels that are not renewed for a minute count as closed.
   * @returns the ids of the tunnels that this process holds; all others of it were replaced or removed
   */
  tunnelsAlive(input: { processId: string }): Promise<readonly string[]>
  /**
   * Calls the listener for events of all processes.
   * @returns ends the calls
   */
  onEvent(listener: (event: DirectoryEvent) => void): () => void
}
