import { Type } from 'typebox'
import { FreeObject, Nullable, QueryInteger } from '../../http/schemas.ts'

const Text = Nullable(Type.String())
const Success = { success: Type.Literal(true) }

export const TaskList = Type.Object({
  ...Success,
  data: Type.Array(
    Type.Object({
      task: Type.String(),
      mode: Type.String(),
      label: Type.String(),
      description: Type.String(),
      destructive: Type.Boolean(),
    }),
  ),
})

const Job = Type.Object({
  id: Type.String(),
  task: Type.String(),
  status: Type.String(),
  params: FreeObject,
  result: Nullable(FreeObject),
  error: Text,
  requested_by: Text,
  queued_at: Type.String(),
  started_at: Text,
  completed_at: Text,
})

export const JobsQuery = Type.Object({ limit: Type.Optional(QueryInteger), task: Type.Optional(Type.String()) })

export const JobList = Type.Object({ ...Success, data: Type.Array(Job) })

export const OneJob = Type.Object({ ...Success, data: Job })

export const QueuedJob = Type.Object({
  ...Success,
  task: Type.String(),
  created: Type.Boolean(),
  data: Type.Object({ job: Job }),
})

const Seconds = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

export const ReapBody = Type.Object({ older_than_seconds: Type.Optional(Seconds) })

export const DedupeBody = Type.Object({
  apply: Type.Optional(Type.Boolean()),
  batch_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})

const done = (data: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ ...Success, task: Type.String(), data: Type.Object(data) })

export const ReapedScans = done({
  reaped: Type.Integer(),
  older_than_seconds: Type.Integer(),
  requested_older_than_seconds: Type.Integer(),
  floor_applied: Type.Boolean(),
})

export const ReapedTranscodes = done({ reaped: Type.Integer(), older_than_seconds: Type.Integer() })

export const CleanedStatistics = done({
  deleted: FreeObject,
  total: Type.Integer(),
  limit: Type.Integer(),
  truncated: Type.Boolean(),
})

export const UpdateStatus = Type.Object({
  ...Success,
  data: Type.Object({
    currentVersion: Type.String(),
    latestVersion: Text,
    updateAvailable: Type.Boolean(),
    checkEnabled: Type.Boolean(),
    lastCheckedAt: Nullable(Type.Integer()),
    lastError: Text,
    updateCommand: Type.String(),
  }),
})
