import type { DeliveryRecord } from '../../../core/outbox/index.ts'

/** The result of an attempt as a sentence. */
export function describeAttempt({ status, targetName, errorMessage }: DeliveryRecord): string {
  if (status === 'success') return `Delivered to ${targetName}.`
  return `Not delivered to ${targetName}: ${errorMessage ?? 'it was not attempted'}`
}
