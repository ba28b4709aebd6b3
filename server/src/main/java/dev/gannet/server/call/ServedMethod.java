package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallBounds;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An entry of the server's method table: a method, its handler, and where that runs. Immutable. */
public final class ServedMethod<Q, R> implements ServerMethod<Q, R> {
  /** What each call uses, and some of it only when it ends. */
  private static final List<Class<?>> OF_EACH_CALL =
      List.of(
          IncomingCall.class,
          CallObservers.class,
          HandlerCall.class,
          CallExtras.class,
          EndInterest.class);

  static {
    initializeCalls();
  }

  private final ServerMethodDefinition<Q, R> definition;
  private final Optional<MethodDescriptor<?, ?>> described;
  private final Supplier<HandlerRunner> runners;
  private final int handlerBytes;
  private final CallBounds limits;
  private final Draining draining;
  private final CallCounter counter;
  private final @Nullable CallGuard guard;
  private final List<CallObserver.Factory> observers;
  private final @Nullable ContextValue values;
  private final CallObservers<Q, R> nobody = new CallObservers<>(this, List.of());

  /**
   * A method of the table.
   *
   * @param runners makes the runner of each call; also called once here, to learn how much memory
   *     the thread of a waiting handler takes
   * @param guard is asked when a call begins; empty if every call may
   * @param observers make the observers of each call, the first one first
   */
  public ServedMethod(
      ServerMethodDefinition<Q, R> definition,
      Supplier<HandlerRunner> runners,
      CallBounds limits,
      Draining draining,
      Optional<CallGuard> guard,
      List<CallObserver.Factory> observers) {
    this.definition = definition;
    this.described = Optional.of(definition.method());
    this.runners = runners;
    this.handlerBytes = definition.waitsForPeer() ? runners.get().memoryBytes() : 0;
    this.limits = limits;
    this.draining = draining;
    this.counter = new CallCounter();
    this.guard = guard.orElse(null);
    this.observers = observers;
    this.values = null;
  }

  private ServedMethod(
      ServedMethod<Q, R> method,
      List<CallObserver.Factory> observers,
      @Nullable ContextValue values) {
    this.definition = method.definition;
    this.described = method.described;
    this.runners = method.runners;
    this.handlerBytes = method.handlerBytes;
    this.limits = method.limits;
    this.draining = method.draining;
    this.counter = method.counter;
    this.guard = method.guard;
    this.observers = observers;
    this.values = values;
  }

  /**
   * The same method, for the calls of one connection.
   *
   * @param first makes observers that are told before the others
   * @param values the initial values of each call; null if there are none
   */
  public ServedMethod<Q, R> onConnection(
      Optional<CallObserver.Factory> first, @Nullable ContextValue values) {
    List<CallObserver.Factory> all = new ArrayList<>();
    first.ifPresent(all::add);
    all.addAll(observers);
    return new ServedMethod<>(this, List.copyOf(all), values);
  }

  /**
   * Initializes the classes of calls while the server is being built: a class whose initialization
   * fails for lack of memory cannot be used any more (JLS §12.4.2), and no call would end well.
   */
  private static void initializeCalls() {
    try {
      for (Class<?> type : OF_EACH_CALL) {
        MethodHandles.lookup().ensureInitialized(type);
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError("classes of this package", e);
    }
  }

  ServerMethodDefinition<Q, R> definition() {
    return definition;
  }

  Draining draining() {
    return draining;
  }

  /** Whether a call that has begun goes on. */
  CallAdmission admit(CallContext call) {
    return guard == null ? CallAdmission.ADMITTED : guard.admit(call);
  }

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return definition.method();
  }

  @Override
  public Optional<MethodDescriptor<?, ?>> described() {
    return described;
  }

  /** Counts its calls, on connections whose calls are counted. */
  public CallCounter counter() {
    return counter;
  }

  @Override
  public CallBounds limits() {
    return limits;
  }

  @Override
  public int handlerBytes() {
    return handlerBytes;
  }

  @Override
  public IncomingCall<Q, R> begin(ServerStream<R> stream) {
    CallObservers<Q, R> told = observers.isEmpty() ? nobody : new CallObservers<>(this, observers);
    IncomingCall<Q, R> call = new IncomingCall<>(told, stream, runners.get());
    if (values != null) {
      call.setValues(values);
    }
    return call;
  }
}
