package dev.gannet.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A method and the handler of its calls. Immutable. */
public final class ServerMethodDefinition<Q, R> {
  private final MethodDescriptor<Q, R> method;
  private final ServerCallHandler<Q, R> handler;
  private final boolean waitsForPeer;
  private final Values values;

  /** Whether a server that sheds load counts and refuses calls of the method. */
  private enum Shedding {
    APPLIES,
    EXEMPT
  }

  /** The options of the method, which its handler does not change. */
  private static final class Values {
    private Optional<Dispatch> dispatch = Optional.empty();
    private Shedding shedding = Shedding.APPLIES;
    private List<AsyncHeadersInterceptor> headersInterceptors = List.of();

    Values() {}

    Values(Values other) {
      dispatch = other.dispatch;
      shedding = other.shedding;
      headersInterceptors = other.headersInterceptors;
    }
  }

  private ServerMethodDefinition(
      MethodDescriptor<Q, R> method,
      ServerCallHandler<Q, R> handler,
      boolean waitsForPeer,
      Values values) {
    this.method = Objects.requireNonNull(method, "method");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.waitsForPeer = waitsForPeer;
    this.values = values;
  }

  private ServerMethodDefinition<Q, R> with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new ServerMethodDefinition<>(method, handler, waitsForPeer, changed);
  }

  /** A method with the server's default dispatch, which load shedding may refuse. */
  public static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, handler.waitsForPeer(), new Values());
  }

  /** A method with another handler, and with all else that the replaced definition says. */
  static <Q, R> ServerMethodDefinition<Q, R> replacing(
      ServerMethodDefinition<?, ?> replaced,
      MethodDescriptor<Q, R> method,
      ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, handler.waitsForPeer(), replaced.values);
  }

  /**
   * This method with another handler, which may wrap the present one: it {@linkplain #waitsForPeer
   * waits for its peer} if either of them does.
   */
  public ServerMethodDefinition<Q, R> withHandler(ServerCallHandler<Q, R> handler) {
    boolean waits = waitsForPeer || handler.waitsForPeer();
    return new ServerMethodDefinition<>(method, handler, waits, values);
  }

  /** This method with its own dispatch. */
  public ServerMethodDefinition<Q, R> withDispatch(Dispatch dispatch) {
    Optional<Dispatch> own = Optional.of(dispatch);
    return with(it -> it.dispatch = own);
  }

  /**
   * This method exempt from load shedding ({@code ServerBuilder.loadShedding}): its calls are
   * neither counted nor refused. For calls that a server must answer however busy it is, such as
   * health checks and those of operators. A service says so for all its methods where it is bound:
   *
   * <pre>{@code
   * public ServerServiceDefinition bindService() {
   *   return Operators.super.bindService().map(method -> method.withoutLoadShedding());
   * }
   * }</pre>
   */
  @Preview(until = "0.3")
  public ServerMethodDefinition<Q, R> withoutLoadShedding() {
    return with(it -> it.shedding = Shedding.EXEMPT);
  }

  /**
   * This method with this interceptor of headers, which runs after those that it has. Calls of
   * other methods do not pass it. Those that a server has for all methods run first, then those of
   * the service ({@code ServiceOptions}), then those of the method. They stay with the method if it
   * gets another handler, dispatch or further {@link ServerInterceptor}s.
   */
  public ServerMethodDefinition<Q, R> withHeadersInterceptor(HeadersInterceptor interceptor) {
    return withAsyncHeadersInterceptor(AsyncHeadersInterceptor.of(interceptor));
  }

  /**
   * Like {@link #withHeadersInterceptor}, with an interceptor that may wait. Those of both kinds
   * run one after the other, in the order in which they were added.
   */
  public ServerMethodDefinition<Q, R> withAsyncHeadersInterceptor(
      AsyncHeadersInterceptor interceptor) {
    List<AsyncHeadersInterceptor> last =
        List.of(Objects.requireNonNull(interceptor, "interceptor"));
    return with(it -> it.headersInterceptors = concat(it.headersInterceptors, last));
  }

  /** This method with interceptors of headers that run before those that it has. */
  ServerMethodDefinition<Q, R> checkedFirstBy(List<AsyncHeadersInterceptor> first) {
    return first.isEmpty()
        ? this
        : with(it -> it.headersInterceptors = concat(first, it.headersInterceptors));
  }

  private static <T> List<T> concat(List<T> first, List<T> last) {
    return Stream.concat(first.stream(), last.stream()).toList();
  }

  /** The method whose calls the handler gets. */
  public MethodDescriptor<Q, R> method() {
    return method;
  }

  /** The handler of the calls, with the interceptors that were put around it. */
  public ServerCallHandler<Q, R> handler() {
    return handler;
  }

  /**
   * Whether its handler blocks inside its call until its peer does something ({@link
   * ServerCallHandler#waitsForPeer}), and so never runs on an event loop.
   */
  public boolean waitsForPeer() {
    return waitsForPeer;
  }

  /** Where its handler runs; empty means the server's default. */
  public Optional<Dispatch> dispatch() {
    return values.dispatch;
  }

  /**
   * The interceptors of headers of this method, of both kinds, the one that runs first first;
   * unmodifiable. A server adds its own.
   */
  public List<AsyncHeadersInterceptor> headersInterceptors() {
    return values.headersInterceptors;
  }

  /** Whether its calls are {@linkplain #withoutLoadShedding exempt from load shedding}. */
  @Preview(until = "0.3")
  public boolean isExemptFromLoadShedding() {
    return values.shedding == Shedding.EXEMPT;
  }

  @Override
  public String toString() {
    return method.fullMethodName();
  }
}
