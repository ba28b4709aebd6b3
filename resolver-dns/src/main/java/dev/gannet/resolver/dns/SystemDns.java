package dev.gannet.resolver.dns;

import io.netty.resolver.HostsFileEntriesProvider;
import io.netty.resolver.dns.DefaultDnsServerAddressStreamProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The DNS configuration of the machine, read again for each lookup: servers and search list of
 * {@code resolv.conf(5)}, and names of {@code hosts(5)}. These files block for no longer than any
 * local file.
 *
 * @param resolvConf where there is no such file, the JDK is asked for the servers
 * @param hosts empty for the platform's own
 * @param port the port of the servers
 */
record SystemDns(Path resolvConf, Optional<Path> hosts, int port) {
  static final SystemDns OF_THIS_MACHINE =
      new SystemDns(Path.of("/etc/resolv.conf"), Optional.empty());

  private static final int MAX_BYTES = 1 << 16;
  private static final int MAX_SERVERS = 3; // resolv.conf(5), MAXNS
  private static final int MAX_DOMAINS = 6; // resolv.conf(5), MAXDNSRCH
  private static final int MAX_DOTS = 15; // resolv.conf(5), ndots
  private static final int DNS_PORT = 53;
  private static final String NDOTS = "ndots:";

  SystemDns(Path resolvConf, Optional<Path> hosts) {
    this(resolvConf, hosts, DNS_PORT);
  }

  /**
   * Whom to ask.
   *
   * @param servers the first one is asked first
   * @param search domains to put behind names with few dots
   * @param ndots a name with that many dots is first looked up as it is
   */
  record Servers(List<InetSocketAddress> servers, List<String> search, int ndots) {
    /** One that is asked for names as they are. */
    static Servers only(InetSocketAddress server) {
      return new Servers(List.of(server), List.of(), 0);
    }

    /**
     * The full names, without a last dot, that a name may stand for; the first that exists counts.
     */
    List<String> candidates(String name) {
      if (name.endsWith(".")) {
        return List.of(name.substring(0, name.length() - 1));
      }
      List<String> all = new ArrayList<>(search.stream().map(it -> name + "." + it).toList());
      boolean asIsFirst = name.chars().filter(c -> c == '.').count() >= ndots;
      all.add(asIsFirst ? 0 : all.size(), name);
      return all;
    }
  }

  Servers servers() throws IOException {
    return Files.exists(resolvConf)
        ? parse(text())
        : new Servers(DefaultDnsServerAddressStreamProvider.defaultAddressList(), List.of(), 1);
  }

  private String text() throws IOException {
    try (InputStream file = Files.newInputStream(resolvConf)) {
      return new String(file.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    }
  }

  private Servers parse(String text) {
    List<InetSocketAddress> servers = new ArrayList<>();
    List<String> search = List.of();
    int ndots = 1;
    for (String line : text.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      List<String> values = List.of(words).subList(1, words.length);
      switch (words[0]) {
        case "nameserver" -> values.stream().limit(1).forEach(it -> addServer(servers, it));
        case "domain", "search" -> search = domains(values);
        case "options" -> ndots = ndots(values, ndots);
        default -> {} // comments, and what is of no use here
      }
    }
    if (servers.isEmpty()) {
      servers.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)); // as libc
    }
    return new Servers(servers.stream().limit(MAX_SERVERS).toList(), search, ndots);
  }

  private void addServer(List<InetSocketAddress> servers, String text) {
    IpAddresses.parse(text).ifPresent(it -> servers.add(new InetSocketAddress(it, port)));
  }

  private static List<String> domains(List<String> values) {
    return values.stream()
        .map(it -> it.endsWith(".") ? it.substring(0, it.length() - 1) : it)
        .filter(it -> !it.isEmpty())
        .map(it -> it.toLowerCase(Locale.ROOT))
        .limit(MAX_DOMAINS)
        .toList();
  }

  /** What the last of the options says that can be read, or as before. */
  private static int ndots(List<String> options, int before) {
    return options.stream()
        .filter(it -> it.startsWith(NDOTS))
        .map(it -> parsed(it.substring(NDOTS.length())))
        .flatMapToInt(OptionalInt::stream)
        .map(it -> Math.clamp(it, 0, MAX_DOTS))
        .reduce(before, (earlier, later) -> later);
  }

  /** Empty for what is no number, which libc ignores as well. */
  private static OptionalInt parsed(String text) {
    try {
      return OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /** The addresses that the hosts file gives that name; IPv4 first, as it has two lists. */
  List<InetAddress> hosts(String name) {
    HostsFileEntriesProvider.Parser parser = HostsFileEntriesProvider.parser();
    HostsFileEntriesProvider entries =
        hosts.isPresent()
            ? parser.parseSilently(hosts.get().toFile(), StandardCharsets.UTF_8)
            : parser.parseSilently();
    return Stream.of(entries.ipv4Entries(), entries.ipv6Entries())
        .flatMap(it -> it.getOrDefault(name, List.of()).stream())
        .toList();
  }
}
