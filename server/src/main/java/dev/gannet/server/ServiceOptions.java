package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What applies to one service alone, of a server's builder or of a {@link MutableHandlerRegistry},
 * or to the services of one {@link ServerExtension}: {@code builder.add(new MyGreeter(), it ->
 * it.withInterceptor(new Authentication(users)))}. Calls of other services, such as health checks,
 * do not pass its interceptors. Immutable.
 */
public final class ServiceOptions {
  /** A service without options of its own. */
  static final ServiceOptions DEFAULT = new ServiceOptions(new Values());

  /** The values of one instance; only written during construction. */
  private static final class Values {
    private List<ServerInterceptor> interceptors = List.of();
    private List<AsyncHeadersInterceptor> headersInterceptors = List.of();
    private Optional<Dispatch> dispatch = Optional.empty();

    Values() {}

    Values(Values other) {
      interceptors = other.interceptors;
      headersInterceptors = other.headersInterceptors;
      dispatch = other.dispatch;
    }

    List<Object> all() {
      return List.of(interceptors, headersInterceptors, dispatch);
    }
  }

  private final Values values;

  private ServiceOptions(Values values) {
    this.values = values;
  }

  /**
   * With this interceptor, inside those that were added before. All of them are inside those of
   * {@link ServerBuilder#intercept}.
   */
  public ServiceOptions withInterceptor(ServerInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return with(it -> it.interceptors = and(it.interceptors, interceptor));
  }

  /**
   * With this interceptor of headers, which runs after those that were added before. All of them
   * run after those of {@link ServerBuilder#interceptHeaders}, and before those that a method of
   * the service {@linkplain ServerMethodDefinition#withHeadersInterceptor has itself}.
   */
  public ServiceOptions withHeadersInterceptor(HeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return withAsyncHeadersInterceptor(AsyncHeadersInterceptor.of(interceptor));
  }

  /**
   * With this interceptor of headers, which may wait. Those of both kinds run one after the other,
   * in the order in which they were added.
   */
  public ServiceOptions withAsyncHeadersInterceptor(AsyncHeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return with(it -> it.headersInterceptors = and(it.headersInterceptors, interceptor));
  }

  /**
   * With this dispatch for the methods that have none of their own, instead of {@linkplain
   * ServerBuilder#dispatch that of the server}.
   */
  public ServiceOptions withDispatch(Dispatch dispatch) {
    Objects.requireNonNull(dispatch, "dispatch");
    return with(it -> it.dispatch = Optional.of(dispatch));
  }

  /** What an application makes of these options. */
  ServiceOptions changedBy(UnaryOperator<ServiceOptions> change) {
    Objects.requireNonNull(change, "change");
    return Objects.requireNonNull(change.apply(this), "the changed options");
  }

  private ServiceOptions with(Consumer<Values> change) {
    Values changed = new Values(values);
    change.accept(changed);
    return new ServiceOptions(changed);
  }

  private static <T> List<T> and(List<T> first, T last) {
    return Stream.concat(first.stream(), Stream.of(last)).toList();
  }

  /** The service with these interceptors of both sorts and this dispatch. */
  ServerServiceDefinition applyTo(ServerServiceDefinition service) {
    ServerServiceDefinition intercepted =
        AsyncHeadersInterceptor.intercept(
            ServerInterceptor.intercept(service, values.interceptors), values.headersInterceptors);
    return values
        .dispatch
        .map(chosen ->
            intercepted.map(it -> it.dispatch().isPresent() ? it : it.withDispatch(chosen)))
        .orElse(intercepted);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof ServiceOptions that && values.all().equals(that.values.all()));
  }

  @Override
  public int hashCode() {
    return values.all().hashCode();
  }

  @Override
  public String toString() {
    return "ServiceOptions[interceptors="
        + values.interceptors
        + ", headersInterceptors="
        + values.headersInterceptors
        + values.dispatch.map(it -> ", dispatch=" + it).orElse("")
        + "]";
  }
}
