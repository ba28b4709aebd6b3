package dev.gannet.server.call;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** An entry of the server's method table: a method, its handler, and where that runs. Immutable. */
public final class ServedMethod<Q, R> implements EngineMethod<Q, R> {
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
  private final CallLimits limits;
  private final Draining draining;
  private final CallCounter counter = new CallCounter();
  private final List<CallObserver.Factory> observers;
  private final CallObservers<Q, R> nobody = new CallObservers<>(this, List.of());

  /**
   * A method of the table.
   *
   * @param runners makes the runner of each call; also called once here, to learn how much memory
   *     the thread of a waiting handler takes
   * @param observers make the observers of each call, the first one first
   */
  public ServedMethod(
      ServerMethodDefinition<Q, R> definition,
      Supplier<HandlerRunner> runners,
      CallLimits limits,
      Draining draining,
      List<CallObserver.Factory> observers) {
    this.definition = definition;
    this.described = Optional.of(definition.method());
    this.runners = runners;
    this.handlerBytes = definition.waitsForPeer() ? runners.get().memoryBytes() : 0;
    this.limits = limits;
    this.draining = draining;
    this.observers = observers;
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

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return definition.method();
  }

  @Override
  public Optional<MethodDescriptor<?, ?>> described() {
    return described;
  }

  @Override
  public CallCounter counter() {
    return counter;
  }

  @Override
  public CallLimits limits() {
    return limits;
  }

  @Override
  public int handlerBytes() {
    return handlerBytes;
  }

  @Override
  public IncomingCall<Q, R> begin(ServerStream<R> stream) {
    return new IncomingCall<>(
        observers.isEmpty() ? nobody : new CallObservers<>(this, observers), stream, runners.get());
  }
}
