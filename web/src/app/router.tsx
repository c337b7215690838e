// Declares every route: signed-out screens, signed-in screens inside the frame, error pages. Unknown paths lead to /404.

import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useMatches,
  useRouterState,
} from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { holderOf, profileQuery } from '../data/profile.ts'
import { queryClient } from '../data/query-client.ts'
import { currentWords, loadScreenWords } from '../i18n/language.ts'
import type { Dictionary } from '../i18n/shape.ts'
import { HOME } from '../lib/safe-return.ts'
import { LoginScreen } from '../screens/auth/login-screen.tsx'
import { SCREENS, type Screen } from '../screens/registry.tsx'
import { session } from '../state/session.ts'
import { closeDialogs } from '../ui/confirm.ts'
import { focusHeading, noteNavigation } from '../ui/heading-focus.ts'
import { nameTab } from '../ui/tab-title.ts'
import { entityRoutes } from './entity-routes.tsx'
import { ForbiddenPage, MissingPage, ScreenFailed } from './error-pages.tsx'
import { Frame } from './frame.tsx'
import { LOGIN, loadProfile, requireAccess, requireNoSession, requireSession } from './guards.ts'
import { endOpening, lazyScreen, ProgressLine } from './lazy-screen.tsx'
import { homePath } from './navigation.ts'

/** Surrounds every route: the title of the browser's tab, the progress bar of a navigation, dialogs and notifications. */
function Root() {
  useTranslation()
  const words = currentWords()
  const titled = useMatches().findLast(({ staticData }) => staticData.title)
  const title = titled?.staticData.title?.(words)
  const isPending = useRouterState({ select: ({ status }) => status === 'pending' })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // Names the tab, which is outside React, before the page itself does with the name of its record.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page before may have given another name for the same title
  useLayoutEffect(() => nameTab(title ?? ''), [title, words, path])
  return (
    <ModalsProvider>
      {isPending ? <ProgressLine /> : null}
      <Outlet />
      <Notifications position="bottom-right" limit={4} />
    </ModalsProvider>
  )
}

function ErrorFrame() {
  const isSignedIn = session.read() !== null && queryClient.getQueryData(profileQuery.queryKey) !== undefined
  if (isSignedIn) return <Frame />
  return (
    <main>
      <Outlet />
    </main>
  )
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The title in the browser's tab. */
    title?: (words: Dictionary) => string
  }
}

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage })

const signedOut = createRoute({ getParentRoute: () => root, id: 'signed-out', beforeLoad: requireNoSession })
const login = createRoute({
  getParentRoute: () => signedOut,
  path: LOGIN,
  component: LoginScreen,
  staticData: { title: (words) => words.auth.signIn },
})
const secondFactor = createRoute({
  getParentRoute: () => signedOut,
  path: '/auth/qr-code',
  component: lazyScreen('second-factor', async () => (await import('../screens/auth/qr-code-screen.tsx')).QrCodeScreen),
  staticData: { title: (words) => words.auth.setupTitle },
})

const restore = createRoute({
  getParentRoute: () => signedOut,
  path: '/auth/restore',
  component: lazyScreen(
    'restore',
    async () => (await import('../screens/auth/restore-screen.tsx')).RestoreScreen,
    loadScreenWords,
  ),
  staticData: { title: (words) => words.access.restore.title },
})
const recovery = createRoute({
  getParentRoute: () => signedOut,
  path: '/auth/recovery-password/$token',
  component: lazyScreen(
    'recovery',
    async () => (await import('../screens/auth/restore-screen.tsx')).RecoveryScreen,
    loadScreenWords,
  ),
  staticData: { title: (words) => words.access.restore.chooseTitle },
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: Frame,
})
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async () => {
    const profile = await queryClient.ensureQueryData(profileQuery)
    throw redirect({ to: homePath(holderOf(profile), currentWords()), replace: true })
  },
})
const screens = (SCREENS as readonly Screen[]).map(({ name, path, access, load, usesFirstWords }) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component: usesFirstWords === true ? lazyScreen(name, load) : lazyScreen(name, load, loadScreenWords),
    beforeLoad: requireAccess(access),
    staticData: { title: (words) => words.screens[name as keyof Dictionary['screens']].title },
  }),
)

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyScreen(
    'verify',
    async () => (await import('../screens/verify/verify-screen.tsx')).VerifyScreen,
    loadScreenWords,
  ),
  staticData: { title: (words) => words.billing.verify.title },
})

/** Keeps the menu around error pages for a signed-in user; others see the page alone. */
const around = createRoute({
  getParentRoute: () => root,
  id: 'error-pages',
  beforeLoad: loadProfile,
  component: ErrorFrame,
})
const forbidden = createRoute({
  getParentRoute: () => around,
  path: '/403',
  component: ForbiddenPage,
  staticData: { title: (words) => words.errors.forbiddenTitle },
})
const missing = createRoute({
  getParentRoute: () => around,
  path: '/404',
  component: MissingPage,
  staticData: { title: (words) => words.errors.missingTitle },
})
/** An earlier address of a screen. */
const formerFinance = createRoute({
  getParentRoute: () => root,
  path: '/finance',
  beforeLoad: () => {
    throw redirect({ to: '/finance-overview', replace: true })
  },
})
const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    signedOut.addChildren([login, secondFactor, restore, recovery]),
    signedIn.addChildren([home, ...screens, ...entityRoutes(() => signedIn)]),
    around.addChildren([forbidden, missing]),
    verify,
    formerFinance,
    unknown,
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ScreenFailed,
  scrollRestoration: true,
})

// A new path closes open dialogs; a change of the search parameters does not.
router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
  if (!pathChanged) return
  closeDialogs()
  // The first page of a visit begins at the link that skips the menu.
  if (fromLocation !== undefined) noteNavigation()
})
router.subscribe('onRendered', ({ pathChanged }) => {
  endOpening()
  if (pathChanged) focusHeading()
})

// Follows changes of the session, which may come from another tab.
session.subscribe((change) => {
  const { pathname, href } = router.state.location
  const isOutside = pathname.startsWith('/auth/') || pathname === '/403' || pathname === '/404'
  if (session.read() !== null) {
    if (change === 'other-tab' && pathname.startsWith('/auth/')) void router.invalidate()
    return
  }
  const search = change === 'logout' || isOutside || href === HOME ? {} : { return: href }
  const leave = pathname.startsWith('/auth/')
    ? Promise.resolve()
    : router.navigate({ to: LOGIN, search, replace: true })
  void leave.then(() => queryClient.clear())
})
