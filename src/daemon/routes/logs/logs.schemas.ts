import { Type } from 'typebox'
import { QueryInteger } from '../../http/schemas.ts'

export const TailQuery = Type.Object({ file: Type.String(), lines: Type.Optional(QueryInteger) })
export const TailAllQuery = Type.Object({ lines: Type.Optional(QueryInteger) })

const LogFile = Type.Object({ name: Type.String(), size: Type.Integer(), modified_at: Type.String() })

const lines = { lines: Type.Array(Type.String()), truncated: Type.Boolean() }

export const LogFiles = Type.Object({ files: Type.Array(LogFile) })
export const LogTail = Type.Object({ file: Type.String(), ...lines })
export const LogTails = Type.Object({ files: Type.Array(Type.String()), ...lines })
