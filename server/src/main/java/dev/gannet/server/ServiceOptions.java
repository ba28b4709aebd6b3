package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What applies to one service alone, or to the services of one {@link ServerExtension}: {@code
 * builder.add(new MyGreeter(), it -> it.withInterceptor(new Authentication(users)))}. Calls of
 * other services, such as health checks, do not pass its interceptors. Immutable.
 */
public final class ServiceOptions {
  /** A service without options of its own. */
  static final ServiceOptions DEFAULT = new ServiceOptions(List.of(), List.of(), Optional.empty());

  private final List<ServerInterceptor> interceptors;
  private final List<AsyncHeadersInterceptor> headersInterceptors;
  private final Optional<Dispatch> dispatch;

  private ServiceOptions(
      List<ServerInterceptor> interceptors,
      List<AsyncHeadersInterceptor> headersInterceptors,
      Optional<Dispatch> dispatch) {
    this.interceptors = interceptors;
    this.headersInterceptors = headersInterceptors;
    this.dispatch = dispatch;
  }

  /**
   * With this interceptor, inside those that were added before. All of them are inside those of
   * {@link ServerBuilder#intercept}.
   */
  public ServiceOptions withInterceptor(ServerInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return new ServiceOptions(and(interceptors, interceptor), headersInterceptors, dispatch);
  }

  /**
   * With this interceptor of headers, which runs after those that were added before. All of them
   * run after those of {@link ServerBuilder#interceptHeaders}.
   */
  public ServiceOptions withHeadersInterceptor(HeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return withAsyncHeadersInterceptor(HeadersInterceptors.atOnce(interceptor));
  }

  /**
   * With this interceptor of headers, which may wait. Those of both kinds run one after the other,
   * in the order in which they were added.
   */
  public ServiceOptions withAsyncHeadersInterceptor(AsyncHeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return new ServiceOptions(interceptors, and(headersInterceptors, interceptor), dispatch);
  }

  /**
   * With this dispatch for the methods that have none of their own, instead of {@linkplain
   * ServerBuilder#dispatch that of the server}.
   */
  public ServiceOptions withDispatch(Dispatch dispatch) {
    Objects.requireNonNull(dispatch, "dispatch");
    return new ServiceOptions(interceptors, headersInterceptors, Optional.of(dispatch));
  }

  private static <T> List<T> and(List<T> first, T last) {
    return Stream.concat(first.stream(), Stream.of(last)).toList();
  }

  /** The service with these interceptors and this dispatch. */
  ServerServiceDefinition applyTo(ServerServiceDefinition service) {
    ServerServiceDefinition intercepted = ServerInterceptor.intercept(service, interceptors);
    return dispatch
        .map(chosen ->
            intercepted.map(it -> it.dispatch().isPresent() ? it : it.withDispatch(chosen)))
        .orElse(intercepted);
  }

  /** The first to run first. */
  List<AsyncHeadersInterceptor> headersInterceptors() {
    return headersInterceptors;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServiceOptions that
        && interceptors.equals(that.interceptors)
        && headersInterceptors.equals(that.headersInterceptors)
        && dispatch.equals(that.dispatch);
  }

  @Override
  public int hashCode() {
    return Objects.hash(interceptors, headersInterceptors, dispatch);
  }

  @Override
  public String toString() {
    return "ServiceOptions[interceptors="
        + interceptors
        + ", headersInterceptors="
        + headersInterceptors
        + dispatch.map(it -> ", dispatch=" + it).orElse("")
        + "]";
  }
}
