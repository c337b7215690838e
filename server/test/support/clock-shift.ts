// Loaded before a server (`--import`): shifts its clock by the milliseconds in the file, whenever the file changes.

import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_SHIFT_FILE ?? ''
const realNow = Date.now
let shift = 0
Date.now = () => realNow() + shift
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
})
setInterval(() => {
  shift = Number(readFileSync(file, 'utf8'))
}, 20).unref()
