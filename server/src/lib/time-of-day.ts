// Moments of a daily time in UTC ('HH:MM').

const DAY_MS = 86_400_000

/** The latest moment of this time that is not after `now`. */
export function lastMoment(time: string, now: Date): Date {
  const at = new Date(`${now.toISOString().slice(0, 10)}T${time}:00.000Z`)
  return at <= now ? at : new Date(at.getTime() - DAY_MS)
}

export const nextMoment = (time: string, now: Date): Date => new Date(lastMoment(time, now).getTime() + DAY_MS)
