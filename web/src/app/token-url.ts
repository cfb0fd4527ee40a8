// The address that hands a token to the server: the page's own with ?token=…, the view behind the # kept.

export function tokenUrl(href: string, token: string): string {
  const url = new URL(href);
  url.searchParams.set('token', token.trim());
  return url.href;
}
