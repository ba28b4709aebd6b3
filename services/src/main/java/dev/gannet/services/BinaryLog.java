package dev.gannet.services;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.client.ChannelExtension;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.services.binarylog.v1.GrpcLogEntry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records calls, with their metadata and messages, as {@code grpc.binarylog.v1.GrpcLogEntry} (gRFC
 * A16); on servers and on clients. Safe for all threads.
 *
 * <pre>
 *   try (BinaryLogFile file = BinaryLogFile.open(Path.of("calls.binlog"))) {
 *     BinaryLog log = BinaryLog.of("*{h:256;m:256},-bank.Accounts/Login", file);
 *     Server server = Server.builder(50_051).plaintext().add(log).add(new MyAccounts()).start();
 *     ManagedChannel channel =
 *         ManagedChannel.builder("other", 443).add(log).build();
 *     …
 *   }
 * </pre>
 *
 * <p>A log sees calls at its position among the interceptors. A server's log that is added before
 * all interceptors, and a channel's log that is added after all interceptors, see what is received
 * from and sent to the network. Requests that reach no interceptor are not logged, for example
 * those with unknown methods.
 *
 * <p>Names that gRPC reserves ({@code grpc-…}, except {@code grpc-trace-bin}), those of HTTP, and
 * {@code authorization} are not logged. Messages are logged completely unless the rule limits them,
 * including confidential content.
 *
 * <p>Each message of a logged method is marshalled once more. Calls of other methods have no
 * additional cost.
 */
public final class BinaryLog implements ServerExtension, ChannelExtension {
  private static final Logger LOG = System.getLogger(BinaryLog.class.getName());

  private static final List<String> VARIABLES =
      List.of("GRPC_BINARY_LOG_FILTER", "GRPC_BINARY_LOG_CONFIG");

  /** Shared, so that ids are those of the process. */
  private static final AtomicLong CALLS = new AtomicLong();

  private final BinaryLogRules rules;
  private final BinaryLogSink sink;
  private final LongAdder failures = new LongAdder();

  private BinaryLog(BinaryLogRules rules, BinaryLogSink sink) {
    this.rules = rules;
    this.sink = Objects.requireNonNull(sink, "sink");
  }

  /**
   * A log of the methods that the rules name. Rules are separated by commas; if several match a
   * method, the most specific one applies, independent of the order.
   *
   * <ul>
   *   <li>{@code *}, {@code package.Service/*} and {@code package.Service/Method}: all methods,
   *       those of a service, or one
   *   <li>{@code -package.Service/Method}: excludes this method
   *   <li>after the first three: <code>{h}</code> for metadata only, <code>{m}</code> for messages
   *       only, <code>{h:256;m:1024}</code> for at most this number of bytes of the metadata, and
   *       of each message
   * </ul>
   *
   * @throws IllegalArgumentException if a rule is malformed or repeated
   */
  public static BinaryLog of(String rules, BinaryLogSink sink) {
    return new BinaryLog(BinaryLogRules.parse(rules), sink);
  }

  /**
   * A log with the rules of an environment variable: {@code GRPC_BINARY_LOG_FILTER} (gRFC A16), or,
   * if that is not set, {@code GRPC_BINARY_LOG_CONFIG} (the name in grpc-java). Empty if neither is
   * set, or the variable is empty.
   *
   * @throws IllegalArgumentException if a rule is malformed, or there twice; names the variable
   */
  public static Optional<BinaryLog> ofEnvironment(BinaryLogSink sink) {
    return ofEnvironment(System.getenv(), sink);
  }

  static Optional<BinaryLog> ofEnvironment(Map<String, String> environment, BinaryLogSink sink) {
    return VARIABLES.stream()
        .filter(name -> !environment.getOrDefault(name, "").isEmpty())
        .findFirst()
        .map(name -> ofVariable(name, environment.getOrDefault(name, ""), sink));
  }

  private static BinaryLog ofVariable(String name, String rules, BinaryLogSink sink) {
    try {
      return of(rules, sink);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** Has the server's calls logged. */
  @Override
  public void addTo(ServerBuilder builder) {
    builder.intercept(new OfServers());
  }

  /** Has the channel's calls logged. */
  @Override
  public void addTo(ManagedChannelBuilder builder) {
    builder.intercept(new OfClients());
  }

  /** The number of exceptions of the sink; each has lost an entry. */
  public long failures() {
    return failures.sum();
  }

  void write(GrpcLogEntry entry) {
    try {
      sink.write(entry);
    } catch (Throwable e) {
      onFailure(e);
    }
  }

  /** An entry is lost; logged the first time. */
  void onFailure(Throwable thrown) {
    boolean first = failures.sum() == 0;
    failures.increment();
    if (first) {
      LOG.log(
          Level.WARNING, "the binary log has lost an entry; further ones are only counted", thrown);
    }
  }

  private Optional<BinaryLogCall> begin(MethodDescriptor<?, ?> method, GrpcLogEntry.Logger side) {
    return rules
        .of(method.fullMethodName())
        .map(extent -> new BinaryLogCall(this, side, extent, CALLS.incrementAndGet()));
  }

  private final class OfServers implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Optional<BinaryLogCall> log = begin(call.method(), GrpcLogEntry.Logger.LOGGER_SERVER);
      return log.isEmpty()
          ? next.startCall(call, headers)
          : new LoggedServerCall<>(call, log.get()).start(headers, next);
    }
  }

  private final class OfClients implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      ClientCall<Q, R> call = next.newCall(method, options);
      String authority = options.authority().orElseGet(next::authority);
      return begin(method, GrpcLogEntry.Logger.LOGGER_CLIENT)
          .<ClientCall<Q, R>>map(
              log -> new LoggedClientCall<>(call, method, options, authority, log))
          .orElse(call);
    }
  }
}
