// For promises and events whose failure is expected and changes nothing.

export const ignore = (): undefined => undefined
