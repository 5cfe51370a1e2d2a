import t from 'tap'
import {
  isRangeAllowed,
  meetsPreconditions,
  isUnchanged,
  fileValidators,
} from '../../../src/daemon/http/file-validators.ts'

const validators = fileValidators({ size: 1000n, mtimeNs: 1_700_000_000_123_456_789n })

void t.test('a file is known by its size and its time in nanoseconds', (t) => {
  t.match(validators.etag, /^"[0-9a-z]+-[0-9a-z]+"$/)
  t.equal(validators.lastModified, 'Tue, 14 Nov 2023 22:13:20 GMT')
  t.not(fileValidators({ size: 1001n, mtimeNs: 1_700_000_000_123_456_789n }).etag, validators.etag)
  t.not(fileValidators({ size: 1000n, mtimeNs: 1_700_000_000_123_456_788n }).etag, validators.etag)
  t.end()
})

void t.test('If-None-Match is compared weakly and wins over If-Modified-Since', (t) => {
  const other = { 'if-none-match': '"other"', 'if-modified-since': validators.lastModified }
  t.equal(isUnchanged({ 'if-none-match': validators.etag }, validators), true)
  t.equal(isUnchanged({ 'if-none-match': `"a", W/${validators.etag}` }, validators), true)
  t.equal(isUnchanged({ 'if-none-match': '*' }, validators), true)
  t.equal(isUnchanged(other, validators), false)
  t.end()
})

void t.test('If-Modified-Since counts in whole seconds; an invalid date is ignored', (t) => {
  t.equal(isUnchanged({}, validators), false)
  t.equal(isUnchanged({ 'if-modified-since': validators.lastModified }, validators), true)
  t.equal(isUnchanged({ 'if-modified-since': 'Tue, 14 Nov 2023 22:13:19 GMT' }, validators), false)
  t.equal(isUnchanged({ 'if-modified-since': 'yesterday' }, validators), false)
  t.end()
})

void t.test('If-Match is compared strongly and wins over If-Unmodified-Since', (t) => {
  const earlier = 'Tue, 14 Nov 2023 22:13:19 GMT'
  t.equal(meetsPreconditions({}, validators), true)
  t.equal(
    meetsPreconditions({ 'if-match': `"a", ${validators.etag}`, 'if-unmodified-since': earlier }, validators),
    true,
  )
  t.equal(meetsPreconditions({ 'if-match': '*' }, validators), true)
  t.equal(
    meetsPreconditions({ 'if-match': '"other"', 'if-unmodified-since': validators.lastModified }, validators),
    false,
  )
  t.equal(meetsPreconditions({ 'if-match': `W/${validators.etag}` }, validators), false)
  t.equal(meetsPreconditions({ 'if-unmodified-since': validators.lastModified }, validators), true)
  t.equal(meetsPreconditions({ 'if-unmodified-since': earlier }, validators), false)
  t.equal(meetsPreconditions({ 'if-unmodified-since': 'yesterday' }, validators), true, 'an invalid date is ignored')
  t.end()
})

void t.test('If-Range lets a range through only for exactly these bytes', (t) => {
  t.equal(isRangeAllowed(undefined, validators), true)
  t.equal(isRangeAllowed(validators.etag, validators), true)
  t.equal(isRangeAllowed(validators.lastModified, validators), true)
  t.equal(isRangeAllowed(`W/${validators.etag}`, validators), false)
  t.equal(isRangeAllowed('"other"', validators), false)
  t.equal(isRangeAllowed('Tue, 14 Nov 2023 22:13:21 GMT', validators), false)
  t.end()
})
