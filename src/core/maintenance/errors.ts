import { defineErrors } from '../platform/errors/index.ts'

export const maintenanceErrors = defineErrors({
  maintenance_job_not_found: {
    kind: 'not_found',
    title: 'Maintenance job not found',
    doc: 'No maintenance job has this id.',
  },
  maintenance_task_unknown: {
    kind: 'invalid',
    title: 'Unknown maintenance task',
    doc: 'No maintenance task has this name.',
  },
  update_check_off: {
    kind: 'conflict',
    title: 'Looking for updates is off',
    doc: '`updates.check_enabled` is off, so that no other server is asked for newer releases.',
  },
})
