import { defineErrors } from '../errors/index.ts'

export const objectStorageErrors = defineErrors({
  storage_denied: {
    kind: 'misconfigured',
    title: 'The object storage refuses the access key',
    doc: 'The access key is unknown, its secret is wrong, or its account may not do this.',
  },
  storage_bucket_missing: {
    kind: 'misconfigured',
    title: 'The bucket does not exist',
    doc: 'The object storage has no bucket with the configured name. Phlix creates none.',
  },
  storage_wrong_region: {
    kind: 'misconfigured',
    title: 'The bucket is in another region',
    doc: 'The object storage redirects to another region or address; the message names it if it is known. Redirects are not followed.',
  },
  storage_clock: {
    kind: 'misconfigured',
    title: 'The clock differs from that of the object storage',
    doc: 'Signed requests are valid for 15 minutes. The clock of this machine or that of the object storage is wrong.',
  },
  storage_object_missing: {
    kind: 'not_found',
    title: 'Object not found',
    doc: 'The object storage has no object with this name.',
  },
  storage_unreachable: {
    kind: 'unavailable',
    title: 'The object storage cannot be reached',
    doc: 'The connection failed, or the object storage was overloaded or failed. Several attempts were made.',
  },
  storage_failed: {
    kind: 'failed',
    title: 'The object storage refused the request',
    doc: 'The object storage answered with an error that has no other code here; the message has its own code.',
  },
  storage_checksum: {
    kind: 'io',
    title: 'The stored object differs',
    doc: 'Size or checksum of an object differ from what was uploaded. An upload is removed then.',
  },
})
