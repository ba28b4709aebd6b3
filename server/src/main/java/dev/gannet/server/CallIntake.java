package dev.gannet.server;

import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerMethod;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Answers a server's connections: its methods, each with the place where its handler runs. */
final class CallIntake implements ServerCalls {
  private final Executor virtualThreads = new HandlerThreads();
  private final InlineGuard inlineGuard;
  private final Dispatch dispatch;
  private final LimitsByMethod limits;
  private final MethodTable methods;
  private final Optional<FallbackMethods> fallback;
  private final int maxInboundMessageBytes;
  private final long maxCallNanos;
  private final List<ServerStreamTracer.Factory> tracers;
  private final MessageEncodings encodings;
  private final Optional<LoadShedder> shedder;

  CallIntake(ServerSettings settings) {
    this(
        settings.services(),
        settings.dispatch(),
        settings.maxInboundMessageBytes(),
        settings.maxCallNanos(),
        settings.transport()::nanoTime,
        settings.features());
  }

  CallIntake(
      List<ServerServiceDefinition> services,
      Dispatch dispatch,
      int maxInboundMessageBytes,
      long maxCallNanos,
      LongSupplier clock,
      ServerFeatures features) {
    this.inlineGuard = new InlineGuard(clock, virtualThreads);
    this.dispatch = dispatch;
    this.limits = features.limits();
    this.shedder = features.loadShedding().map(it -> new LoadShedder(it, clock));
    this.methods = new MethodTable(services, this::served);
    this.fallback =
        features
            .fallback()
            .map(it -> new FallbackMethods(it, features.interceptors(), this::servedLater));
    this.maxInboundMessageBytes = maxInboundMessageBytes;
    this.maxCallNanos = maxCallNanos;
    this.tracers = features.tracers();
    this.encodings = features.encodings();
  }

  private ServerMethod<?, ?> served(ServerMethodDefinition<?, ?> method) {
    EngineMethod<?, ?> served = asServed(method);
    return shedder.isPresent() ? shedder.get().around(served) : served;
  }

  private ServerMethod<?, ?> servedLater(ServerMethodDefinition<?, ?> method) {
    EngineMethod<?, ?> served = asServed(method);
    return shedder.isPresent() ? shedder.get().aroundLater(served) : served;
  }

  private EngineMethod<?, ?> asServed(ServerMethodDefinition<?, ?> method) {
    return new ServedMethod<>(method, runnersOf(method), limits.of(method.method()));
  }

  /** The only place that evaluates a method's {@link Dispatch}. */
  private Supplier<HandlerRunner> runnersOf(ServerMethodDefinition<?, ?> method) {
    return switch (method.dispatch().orElse(dispatch)) {
      case Dispatch.VirtualThreads() -> this::onVirtualThread;
      case Dispatch.Inline() when method.handler().waitsForPeer() -> this::onVirtualThread;
      case Dispatch.Inline() ->
          new OnEventLoop(inlineGuard, method.method().fullMethodName())::forCall;
      case Dispatch.On(Executor executor) -> {
        HandlerRunner shared = new OnExecutor(executor);
        yield () -> shared;
      }
    };
  }

  private HandlerRunner onVirtualThread() {
    return new OnVirtualThread(virtualThreads);
  }

  @Override
  public Optional<ServerMethod<?, ?>> find(String path) {
    return methods.find(path);
  }

  @Override
  public Optional<ServerMethod<?, ?>> findFallback(String path) {
    return fallback.isPresent() ? fallback.get().find(path) : Optional.empty();
  }

  /** The counts of each method, by its full name. */
  Map<String, MethodCounts> counts() {
    Map<String, MethodCounts> counts = new TreeMap<>();
    Stream.concat(methods.all(), fallback.stream().flatMap(FallbackMethods::all))
        .map(method -> (EngineMethod<?, ?>) method)
        .forEach(it -> counts.put(it.descriptor().fullMethodName(), it.counter().counts()));
    return Collections.unmodifiableMap(counts);
  }

  @Override
  public long maxCallNanos() {
    return maxCallNanos;
  }

  @Override
  public MessageEncodings encodings() {
    return encodings;
  }

  @Override
  public int maxInboundMessageBytes() {
    return maxInboundMessageBytes;
  }

  @Override
  public List<ServerStreamTracer.Factory> tracers() {
    return tracers;
  }

  /** The current counts of load shedding; empty if it is disabled. */
  Optional<LoadShedding.Snapshot> shedding() {
    return shedder.map(LoadShedder::snapshot);
  }

  @Override
  public void onSlowPass() {
    inlineGuard.onSlowPass();
  }
}
