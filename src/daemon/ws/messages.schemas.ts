import { Type } from 'typebox'

/** Every message has a type. The schema of the other keys depends on it. */
export const SocketMessage = Type.Object({ type: Type.String({ minLength: 1, maxLength: 100 }) })

export const AuthRequest = Type.Object({ data: Type.Object({ token: Type.String() }) })
