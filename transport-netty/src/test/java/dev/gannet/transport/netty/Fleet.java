package dev.gannet.transport.netty;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers that come and go, which channels find under {@code fleet:///any}. */
final class Fleet implements NameResolverProvider, AutoCloseable {
  /** A server, and how many calls it has had. */
  static final class Member {
    final Server server;
    final AtomicInteger calls = new AtomicInteger();

    /** What it says of itself at the end of each call. */
    volatile String load = "";

    /** Its share, for policies that know it from the resolver. */
    volatile int weight = 1;

    /** Whether its calls fail. */
    volatile boolean failing;

    Member(int port) throws IOException {
      server =
          Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .dispatch(Dispatch.on(Runnable::run))
              .add(
                  ServerServiceDefinition.of(
                      EchoService.NAME,
                      List.of(ServerMethodDefinition.of(EchoService.UNARY, this::begin))))
              .start();
    }

    private ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
      calls.incrementAndGet();
      return EchoService.begin(new Reporting(call, this), headers);
    }

    InetSocketAddress address() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    Endpoint endpoint() {
      return Endpoint.of(address())
          .withAttributes(Attributes.EMPTY.with(RingHashSettings.WEIGHT, weight));
    }
  }

  static final Metadata.Key<String> LOAD = Metadata.Key.ascii("load");

  private static final class Reporting extends ForwardingServerCall<byte[], byte[]> {
    private final Member member;

    Reporting(ServerCall<byte[], byte[]> call, Member member) {
      super(call);
      this.member = member;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      Status said = member.failing ? Status.INTERNAL : status;
      trailers.set(LOAD, member.load);
      super.close(said, trailers);
    }
  }

  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final List<Known> resolvers = new CopyOnWriteArrayList<>();

  /** Another server, which channels do not hear of yet. */
  Member add() throws IOException {
    return add(0);
  }

  Member add(int port) throws IOException {
    Member member = new Member(port);
    members.add(member);
    return member;
  }

  List<Member> members() {
    return members;
  }

  /** A new server takes the place of one that has ended, at its address. */
  void replace(Member ended) throws IOException {
    members.set(members.indexOf(ended), new Member(ended.server.port()));
  }

  /** Channels hear of it at the next {@link #publish}. */
  void remove(Member member) {
    members.remove(member);
  }

  /** Tells all channels the current members. */
  void publish() {
    resolvers.forEach(Known::refresh);
  }

  @Override
  public String scheme() {
    return "fleet";
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    Known made = new Known(members);
    resolvers.add(made);
    return made;
  }

  @Override
  public void close() {
    members.forEach(it -> it.server.shutdownNow());
  }

  private static final class Known implements NameResolver {
    private final List<Member> members;
    private volatile Listener listener = result -> {};

    Known(List<Member> members) {
      this.members = members;
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      listener.onResult(Resolution.of(members.stream().map(Member::endpoint).toList()));
    }

    @Override
    public void shutdown() {
      listener = result -> {};
    }
  }
}
