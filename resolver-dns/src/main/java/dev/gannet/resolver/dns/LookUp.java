package dev.gannet.resolver.dns;

import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.resolver.HostsFileEntriesResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One look-up of one name: its addresses, and, if requested, the record of its service config. It
 * opens its own sockets, whose ports cannot be guessed (RFC 5452 §9.2), and closes them at its end.
 * Runs on the thread of look-ups.
 */
final class LookUp {
  /** What it has found. There will be no third case. */
  sealed interface Outcome {
    /** Addresses, in the servers' order. */
    record Found(String name, List<InetAddress> addresses, long ttlSeconds, Reply config)
        implements Outcome {}

    /** None, and why. */
    record NotFound(String why) implements Outcome {}
  }

  private static final String CONFIG_PREFIX = "_grpc_config.";
  private static final String LOCALHOST = "localhost";
  private static final int MAX_NAME = 253; // RFC 1035 §2.3.4, as text
  private static final int MAX_LABEL = 63;
  private static final long HOSTS_TTL_SECONDS = 0; // changes of the file take effect at once

  /** Recommended for UDP since 2020, so that no answer is sent in fragments; more comes by TCP. */
  private static final int MAX_UDP_BYTES = 1232;

  private final DnsTarget target;
  private final LookUpSettings settings;
  private final EventLoop loop;
  private final Consumer<Outcome> then;
  private final Queue<String> candidates = new ArrayDeque<>();

  /** The candidate that is being asked for. */
  private String name = "";

  private final List<String> missing = new ArrayList<>();

  /** Why it is not known whether candidates exist. */
  private final List<String> unknown = new ArrayList<>();

  private final List<Query> queries = new ArrayList<>();
  private final Map<DnsRecordType, Reply> replies = new LinkedHashMap<>();
  private SystemDns.@Nullable Servers servers;
  private @Nullable DnsNameResolver netty;
  private @Nullable Future<?> deadline;
  private boolean over;

  LookUp(DnsTarget target, LookUpSettings settings, EventLoop loop, Consumer<Outcome> then) {
    this.target = target;
    this.settings = settings;
    this.loop = loop;
    this.then = then;
  }

  void start() {
    List<InetAddress> known = known();
    if (!known.isEmpty()) {
      end(found(bare(target.host()), known, HOSTS_TTL_SECONDS));
      return;
    }
    SystemDns.Servers asked;
    try {
      asked =
          target.server().isPresent()
              ? SystemDns.Servers.only(target.server().get())
              : settings.system().servers();
    } catch (IOException e) {
      end(new Outcome.NotFound("cannot read " + settings.system().resolvConf() + ": " + e));
      return;
    }
    servers = asked;
    netty = newResolver(asked);
    candidates.addAll(asked.candidates(target.host()));
    long millis = settings.lookUpTimeoutMillis();
    deadline = loop.schedule(this::onDeadline, millis, TimeUnit.MILLISECONDS);
    askNext();
  }

  /** Stops it without a result. */
  void cancel() {
    over = true;
    release();
  }

  private List<InetAddress> known() {
    String name = bare(target.host());
    List<InetAddress> inHosts =
        target.server().isPresent() ? List.of() : settings.system().hosts(name);
    boolean local = name.equals(LOCALHOST) || name.endsWith("." + LOCALHOST); // RFC 6761 §6.3
    return inHosts.isEmpty() && local ? loopback() : inHosts;
  }

  private static List<InetAddress> loopback() {
    return List.of(NetUtil.LOCALHOST4, NetUtil.LOCALHOST6);
  }

  private static String bare(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private DnsNameResolver newResolver(SystemDns.Servers asked) {
    return new DnsNameResolverBuilder(loop)
        .datagramChannelType(NioDatagramChannel.class)
        .socketChannelType(NioSocketChannel.class)
        .nameServerProvider(new SingletonDnsServerAddressStreamProvider(asked.servers().getFirst()))
        .queryTimeoutMillis(settings.queryTimeoutMillis())
        .maxPayloadSize(MAX_UDP_BYTES)
        .consolidateCacheSize(0)
        .resolveCache(NoopDnsCache.INSTANCE)
        .cnameCache(NoopDnsCnameCache.INSTANCE)
        .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
        .hostsFileEntriesResolver(new NoHosts())
        .searchDomains(List.of())
        .ndots(1)
        .build();
  }

  /** The hosts file has been asked. */
  private static final class NoHosts implements HostsFileEntriesResolver {
    @Override
    public @Nullable InetAddress address(String host, ResolvedAddressTypes addressTypes) {
      return null;
    }
  }

  private void askNext() {
    String next = candidates.poll();
    while (next != null && !isValid(next)) {
      missing.add(next + " is not a valid name");
      next = candidates.poll();
    }
    if (next == null) {
      end(new Outcome.NotFound(String.join("; ", unknown.isEmpty() ? missing : unknown)));
      return;
    }
    ask(next);
  }

  /** A search domain may make a name too long, or be malformed. */
  private static boolean isValid(String name) {
    return name.length() <= MAX_NAME
        && Stream.of(name.split("\\.", -1))
            .allMatch(label -> !label.isEmpty() && label.length() <= MAX_LABEL);
  }

  private void ask(String next) {
    name = next;
    replies.clear();
    queries.clear();
    List<DnsRecordType> types = new ArrayList<>(List.of(DnsRecordType.A));
    if (!NetUtil.isIpV4StackPreferred()) {
      types.add(DnsRecordType.AAAA);
    }
    if (settings.configPolicies().isPresent()) {
      types.add(DnsRecordType.TXT);
    }
    for (DnsRecordType type : types) {
      queries.add(newQuery(type, types.size()));
    }
    for (int i = 0; i < types.size() && !over; i++) {
      queries.get(i).ask(types.get(i).equals(DnsRecordType.TXT) ? CONFIG_PREFIX + next : next);
    }
  }

  private Query newQuery(DnsRecordType type, int wanted) {
    return new Query(
        Objects.requireNonNull(netty),
        Objects.requireNonNull(servers).servers(),
        type,
        reply -> {
          replies.put(type, reply);
          if (replies.size() == wanted) {
            decide();
          }
        });
  }

  private void decide() {
    List<InetAddress> addresses = addresses();
    List<Reply.Unknown> failed =
        ofAddresses()
            .filter(Reply.Unknown.class::isInstance)
            .map(Reply.Unknown.class::cast)
            .toList();
    if (!addresses.isEmpty()) {
      // Of a family that was not answered, more may be known soon.
      end(found(name, addresses, failed.isEmpty() ? ttlSeconds() : 0));
      return;
    }
    if (failed.isEmpty()) {
      missing.add(missing(name));
    } else {
      failed.stream().map(Reply.Unknown::why).distinct().map(this::ofName).forEach(unknown::add);
      if (failed.stream().anyMatch(it -> it.servers() == Reply.Servers.SILENT)) {
        candidates.clear(); // it would take too long to wait for each of them
      }
    }
    askNext();
  }

  /** Says for which name that was, if it is not the target's. */
  private String ofName(String what) {
    return name.equals(bare(target.host())) ? what : what + " (asked for " + name + ")";
  }

  /** What is known of both families by now. */
  private Stream<Reply> ofAddresses() {
    return Stream.of(DnsRecordType.A, DnsRecordType.AAAA)
        .filter(replies::containsKey)
        .map(it -> Objects.requireNonNull(replies.get(it)));
  }

  private Stream<Reply.Records> addressRecords() {
    return ofAddresses().filter(Reply.Records.class::isInstance).map(Reply.Records.class::cast);
  }

  private List<InetAddress> addresses() {
    List<InetAddress> all = new ArrayList<>();
    addressRecords().forEach(records -> records.data().forEach(it -> add(all, it)));
    return all;
  }

  private long ttlSeconds() {
    return addressRecords().mapToLong(Reply.Records::ttlSeconds).min().orElse(Long.MAX_VALUE);
  }

  private static void add(List<InetAddress> addresses, byte[] data) {
    try {
      addresses.add(InetAddress.getByAddress(data));
    } catch (UnknownHostException e) {
      return; // RDATA of another length is no address
    }
  }

  private String missing(String name) {
    for (Reply reply : List.copyOf(replies.values())) {
      if (reply instanceof Reply.None none && none.why() == Reply.NoRecords.NO_NAME) {
        return Query.nameOf(none.server()) + " does not know the name " + name + " (NXDOMAIN)";
      }
    }
    return replies.values().stream()
        .filter(Reply.None.class::isInstance)
        .map(it -> Query.nameOf(((Reply.None) it).server()) + " has no address of " + name)
        .findFirst()
        .orElse("no address of " + name);
  }

  private Outcome found(String name, List<InetAddress> addresses, long ttlSeconds) {
    if (addresses.size() > settings.maxAddresses()) {
      return new Outcome.NotFound(
          servers()
              + " has "
              + addresses.size()
              + " addresses of "
              + name
              + ", more than maxAddresses ("
              + settings.maxAddresses()
              + ")");
    }
    Reply config =
        replies.getOrDefault(
            DnsRecordType.TXT, new Reply.Unknown("not known", Reply.Servers.SILENT));
    long ttl =
        config instanceof Reply.Records records
            ? Math.min(ttlSeconds, records.ttlSeconds())
            : ttlSeconds;
    return new Outcome.Found(name, addresses, ttl, config);
  }

  private String servers() {
    SystemDns.Servers asked = servers;
    return asked == null ? "the hosts file" : Query.nameOf(asked.servers().getFirst());
  }

  private void onDeadline() {
    List<InetAddress> addresses = addresses();
    if (!addresses.isEmpty()) {
      end(found(name, addresses, 0)); // what is missing may be known soon
      return;
    }
    List<String> said = new ArrayList<>(unknown);
    queries.stream()
        .map(Query::complaints)
        .filter(it -> !it.isEmpty())
        .distinct()
        .map(this::ofName)
        .forEach(said::add);
    end(
        new Outcome.NotFound(
            "no answer in "
                + settings.lookUpTimeoutMillis()
                + " ms"
                + (said.isEmpty() ? "" : ": " + String.join("; ", said))));
  }

  private void end(Outcome outcome) {
    if (!over) {
      cancel();
      then.accept(outcome);
    }
  }

  private void release() {
    queries.forEach(Query::cancel);
    if (deadline != null) {
      deadline.cancel(false);
    }
    if (netty != null) {
      netty.close();
    }
  }
}
