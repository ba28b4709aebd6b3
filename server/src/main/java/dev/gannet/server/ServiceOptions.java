package dev.gannet.server;

import dev.gannet.api.ServerInterceptor;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What applies to one service alone, or to the services of one {@link ServerExtension}: {@code
 * builder.add(new MyGreeter(), it -> it.intercept(new Authentication(users)))}. Calls of other
 * services, such as health checks, do not pass these interceptors. Immutable.
 */
public final class ServiceOptions {
  /** A service without interceptors of its own. */
  static final ServiceOptions DEFAULT = new ServiceOptions(List.of(), List.of());

  private final List<ServerInterceptor> interceptors;
  private final List<HeadersInterceptor> headersInterceptors;

  private ServiceOptions(
      List<ServerInterceptor> interceptors, List<HeadersInterceptor> headersInterceptors) {
    this.interceptors = interceptors;
    this.headersInterceptors = headersInterceptors;
  }

  /**
   * With this interceptor, inside those that were added before. All of them are inside those of
   * {@link ServerBuilder#intercept}.
   */
  public ServiceOptions intercept(ServerInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return new ServiceOptions(and(interceptors, interceptor), headersInterceptors);
  }

  /**
   * With this interceptor of headers, which runs after those that were added before. All of them
   * run after those of {@link ServerBuilder#interceptHeaders}.
   */
  public ServiceOptions interceptHeaders(HeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return new ServiceOptions(interceptors, and(headersInterceptors, interceptor));
  }

  private static <T> List<T> and(List<T> first, T last) {
    return Stream.concat(first.stream(), Stream.of(last)).toList();
  }

  /** The outermost first. */
  List<ServerInterceptor> interceptors() {
    return interceptors;
  }

  /** The first to run first. */
  List<HeadersInterceptor> headersInterceptors() {
    return headersInterceptors;
  }
}
