package dev.gannet.client.resolver;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Creates resolvers for targets that list IP addresses: {@code ipv4:} and {@code ipv6:}. */
record AddressListProvider(Family family) implements NameResolverProvider {
  /** 0 to 255, without zeros before it, which other programs read as octal (RFC 3986 §3.2.2). */
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

  /** The kind of addresses that a target lists. */
  enum Family {
    IPV4("ipv4", OCTET + "(\\." + OCTET + "){3}", "192.0.2.1:5001,192.0.2.2:5002"),
    IPV6("ipv6", "[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%.+)?", "[2001:db8::1]:5001,[2001:db8::2]:5002");

    private final String scheme;
    private final String literal;
    private final String example;

    Family(String scheme, String literal, String example) {
      this.scheme = scheme;
      this.literal = literal;
      this.example = example;
    }

    /** Compiled when it is needed, which is not the case for other targets. */
    private boolean isLiteral(String text) {
      return Pattern.matches(literal, text);
    }
  }

  @Override
  public String scheme() {
    return family.scheme;
  }

  @Override
  public int priority() {
    return 0;
  }

  /** The first address, because a list is not a valid authority. */
  @Override
  public String authority(Target target) {
    return parts(target).getFirst().toString();
  }

  @Override
  public boolean bringsServiceConfig() {
    return false;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    List<Endpoint> endpoints =
        parts(target).stream().map(it -> Endpoint.of(addressOf(it, target))).toList();
    return new FixedResolver(Resolution.of(endpoints));
  }

  private List<HostPort> parts(Target target) {
    if (!target.authority().isEmpty()) {
      throw bad(target, "its scheme does not allow '//" + target.authority() + "'");
    }
    List<HostPort> all = new ArrayList<>();
    for (String part : target.endpoint().split(",", -1)) {
      HostPort parsed = parse(part, target);
      addressOf(parsed, target);
      all.add(parsed);
    }
    return all;
  }

  private HostPort parse(String part, Target target) {
    boolean bare = family == Family.IPV6 && family.isLiteral(part);
    try {
      return HostPort.parse(bare ? "[" + part + "]" : part, Target.DEFAULT_PORT);
    } catch (IllegalArgumentException e) {
      throw bad(target, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Nothing is looked up: the JDK reads every IPv4 address of the pattern itself, and what is in
   * brackets is an IPv6 address to it, or an error.
   */
  private InetSocketAddress addressOf(HostPort part, Target target) {
    if (!family.isLiteral(part.host())) {
      throw bad(target, "not an address of that kind: '" + part.host() + "'");
    }
    try {
      String literal = family == Family.IPV6 ? "[" + part.host() + "]" : part.host();
      return new InetSocketAddress(InetAddress.getByName(literal), part.port());
    } catch (UnknownHostException e) {
      throw bad(target, "not an address: '" + part.host() + "'");
    }
  }

  private IllegalArgumentException bad(Target target, String why) {
    return new IllegalArgumentException(
        "not a list of addresses, such as %s:%s: '%s': %s"
            .formatted(family.scheme, family.example, target, why));
  }
}
