/** hls.js is large, so it is loaded when a stream needs it. */
// oxlint-disable-next-line import/no-default-export -- the package has no other export of the class
export { default } from 'hls.js/dist/hls.min.mjs'
