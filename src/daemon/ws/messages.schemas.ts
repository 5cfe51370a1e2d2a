import { Type } from 'typebox'

/** Every message has a type; what else it has is its type's business. */
export const Message = Type.Object({ type: Type.String({ minLength: 1, maxLength: 100 }) })

export const AuthRequest = Type.Object({ data: Type.Object({ token: Type.String() }) })

/** Milliseconds of the client's own clock. */
export const TimePing = Type.Object({ client_time: Type.Number() })
