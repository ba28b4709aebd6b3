package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallLimit;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.server.call.CallGuard;
import dev.gannet.server.call.CallObserver;
import dev.gannet.server.call.Draining;
import dev.gannet.server.call.HandlerRunner;
import dev.gannet.server.call.HandlerThreads;
import dev.gannet.server.call.NewHandlerThreads;
import dev.gannet.server.call.OnEventLoop;
import dev.gannet.server.call.OnExecutor;
import dev.gannet.server.call.OnVirtualThread;
import dev.gannet.server.call.ServedMethod;
import dev.gannet.server.call.SlowPassCounter;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.settings.CallBounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Answers a server's connections: its methods, each with the place where its handler runs. These
 * act on a call before its handler, in this order; a server has only those that it uses:
 *
 * <ol>
 *   <li>{@link ConnectionCalls} sets the values of its connection.
 *   <li>{@link CountedCall} counts it, so refused calls are counted, too.
 *   <li>{@link HeadersGuard}: {@link HeadersInterceptor}s and {@link AsyncHeadersInterceptor}s,
 *       those of the server, then those of its service, then those of its method, may refuse it
 *       when it begins, or hold it. They see these values.
 *   <li>{@link AdmittedCall}: the server's {@link CustomLimit}s, then the method's {@link
 *       ConcurrentCalls}, then load shedding, may refuse it when its handler would start. A call
 *       that was refused before takes no place; one that is refused later gives its places back.
 * </ol>
 *
 * <p>{@link CountedCall} and {@link AdmittedCall} are {@link CallObserver}s, {@link HeadersGuard}
 * is a {@link CallGuard}. They refuse a call by a {@link dev.gannet.transport.CallAdmission}.
 */
final class CallIntake implements ServerCalls {
  private final Executor virtualThreads = new HandlerThreads();
  private final Executor newVirtualThreads = new NewHandlerThreads();
  private final Draining draining = new Draining();
  private final SlowPassCounter slowPassCounter;
  private final Dispatch dispatch;
  private final CallBounds limits;
  private final LimitsByMethod limitsByMethod;
  private final ConcurrentCallsByMethod concurrentCalls;
  private final List<AsyncHeadersInterceptor> headersInterceptors;
  private final MethodTable methods;
  private final FallbackMethods fallback;
  private final List<ServerStreamTracer.Factory> tracers;
  private final MessageEncodings encodings;
  private final RequestProtocols protocols;
  private final Optional<LoadShedder> shedder;
  private final List<Admission> customLimits;

  CallIntake(ServerSettings settings) {
    this(
        settings.services(),
        settings.interception(),
        settings.formats(),
        settings.connections().transport().scheduler()::nanoTime);
  }

  CallIntake(
      ServerSettings.Services services,
      ServerSettings.Interception interception,
      ServerSettings.Formats formats,
      LongSupplier clock) {
    this.slowPassCounter = new SlowPassCounter(clock, virtualThreads);
    this.dispatch = services.dispatch();
    this.limits = services.limits();
    this.limitsByMethod = services.limitsByMethod();
    this.concurrentCalls = new ConcurrentCallsByMethod(limitsByMethod);
    this.headersInterceptors = interception.headersInterceptors();
    this.customLimits = interception.callLimits().stream().map(CallIntake::admission).toList();
    this.shedder = services.loadShedding().map(it -> new LoadShedder(it, clock));
    this.methods = new MethodTable(services.added(), this::served);
    this.fallback =
        new FallbackMethods(services.fallback(), interception.ofFallback(), this::servedLater);
    this.tracers = interception.tracers();
    this.encodings = formats.encodings();
    this.protocols = RequestProtocols.of(formats.protocols(), descriptors(services.added()));
  }

  private static Admission admission(CallLimit limit) {
    return new CustomLimit(limit);
  }

  private static List<MethodDescriptor<?, ?>> descriptors(List<ServerServiceDefinition> services) {
    List<MethodDescriptor<?, ?>> all = new ArrayList<>();
    services.forEach(service -> service.methods().forEach(it -> all.add(it.method())));
    return List.copyOf(all);
  }

  private ServedMethod<?, ?> served(ServerMethodDefinition<?, ?> method) {
    return served(method, shedder.flatMap(it -> it.admission(method)));
  }

  private ServedMethod<?, ?> servedLater(ServerMethodDefinition<?, ?> method) {
    return served(method, shedder.flatMap(it -> it.admissionOfLater(method)));
  }

  private Optional<CallGuard> guard(ServerMethodDefinition<?, ?> method) {
    List<AsyncHeadersInterceptor> all = new ArrayList<>(headersInterceptors);
    all.addAll(method.headersInterceptors());
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(new HeadersGuard(method.method().fullMethodName(), List.copyOf(all)));
  }

  private List<CallObserver.Factory> observers(
      MethodDescriptor<?, ?> method, Optional<Admission> shedding) {
    List<CallObserver.Factory> all = new ArrayList<>();
    customLimits.forEach(it -> all.add(() -> new AdmittedCall(it)));
    concurrentCalls.of(method).ifPresent(it -> all.add(() -> new AdmittedCall(it)));
    shedding.ifPresent(it -> all.add(() -> new AdmittedCall(it)));
    return List.copyOf(all);
  }

  /** Is notified when the server accepts no more calls, and notifies the registered actions. */
  Draining draining() {
    return draining;
  }

  private ServedMethod<?, ?> served(
      ServerMethodDefinition<?, ?> method, Optional<Admission> shedding) {
    CallBounds own = limitsByMethod.of(method.method()).over(limits);
    return new ServedMethod<>(
        method,
        runnersOf(method),
        own,
        draining,
        guard(method),
        observers(method.method(), shedding));
  }

  /** The only place that evaluates a method's {@link Dispatch}. */
  private Supplier<HandlerRunner> runnersOf(ServerMethodDefinition<?, ?> method) {
    return switch (method.dispatch().orElse(dispatch)) {
      case Dispatch.VirtualThreads virtual -> this::onVirtualThread;
      case Dispatch.NewVirtualThreads each -> this::onNewVirtualThread;
      case Dispatch.Inline inline when method.waitsForPeer() -> this::onVirtualThread;
      case Dispatch.Inline inline ->
          new OnEventLoop(slowPassCounter, method.method().fullMethodName())::forCall;
      case Dispatch.On on -> {
        HandlerRunner shared = new OnExecutor(on.executor());
        yield () -> shared;
      }
    };
  }

  private HandlerRunner onVirtualThread() {
    return new OnVirtualThread(virtualThreads);
  }

  private HandlerRunner onNewVirtualThread() {
    return new OnVirtualThread(newVirtualThreads);
  }

  @Override
  public Optional<ServedMethod<?, ?>> find(String path) {
    return methods.find(path);
  }

  @Override
  public Optional<ServedMethod<?, ?>> findFallback(String path) {
    return fallback.find(path);
  }

  /** The counts of each method, by its full name. */
  Map<String, CallCounts> counts() {
    Map<String, CallCounts> counts = new TreeMap<>();
    Stream.concat(methods.all(), fallback.all())
        .forEach(it ->
            counts.put(it.descriptor().fullMethodName(), new CallCounts(it.counter().values())));
    return Collections.unmodifiableMap(counts);
  }

  @Override
  public MessageEncodings encodings() {
    return encodings;
  }

  @Override
  public RequestProtocols protocols() {
    return protocols;
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
    slowPassCounter.onSlowPass();
  }
}
