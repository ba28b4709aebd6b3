package dev.gannet.client;

/**
 * Where a channel leads to.
 *
 * @param host a name, or an IP address; brackets are taken off
 * @param port 0 to 65535
 */
record Target(String host, int port) {
  private static final String DNS_SCHEME = "dns:///";

  Target {
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || c == '/')) {
      throw new IllegalArgumentException("not a host: '" + host + "'");
    }
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("not a port (0 to 65535): " + port);
    }
  }

  static Target parse(String text) {
    String target = text.startsWith(DNS_SCHEME) ? text.substring(DNS_SCHEME.length()) : text;
    int colon = target.lastIndexOf(':');
    if (colon <= 0 || target.indexOf("//") >= 0) {
      throw notATarget(text);
    }
    String host = target.substring(0, colon);
    if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
      throw notATarget(text);
    }
    try {
      return new Target(host, Integer.parseInt(target.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw notATarget(text);
    }
  }

  private static IllegalArgumentException notATarget(String text) {
    return new IllegalArgumentException(
        "not a target (host:port, dns:///host:port or [IPv6]:port): '" + text + "'");
  }

  /** As it stands in {@code :authority}: a zone is this machine's business (RFC 6874 §3). */
  String authority() {
    String zoneless = host.indexOf(':') >= 0 ? "[" + host.replaceFirst("%.*", "") + "]" : host;
    return zoneless + ":" + port;
  }

  @Override
  public String toString() {
    return authority();
  }
}
