package dev.gannet.server;

import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The interceptors of headers in a server's builder. Immutable.
 *
 * @param ofAll see the calls of all methods, before those of one service
 * @param byMethod those of the service of a method, by {@code package.Service/Method}; a method of
 *     a service without any is not in it
 */
record HeadersInterceptors(
    List<HeadersInterceptor> ofAll, Map<String, List<HeadersInterceptor>> byMethod) {
  static final HeadersInterceptors NONE = new HeadersInterceptors(List.of(), Map.of());

  HeadersInterceptors {
    ofAll = List.copyOf(ofAll);
    byMethod = Map.copyOf(byMethod);
  }

  /**
   * Those that a call of the method passes, the first one first; the same list if none is added.
   */
  List<HeadersInterceptor> of(MethodDescriptor<?, ?> method) {
    List<HeadersInterceptor> own = byMethod.getOrDefault(method.fullMethodName(), List.of());
    if (own.isEmpty()) {
      return ofAll;
    }
    List<HeadersInterceptor> both = new ArrayList<>(ofAll);
    both.addAll(own);
    return List.copyOf(both);
  }

  /** Collects them while services are added. Not safe for concurrent use. */
  static final class Builder {
    private final List<HeadersInterceptor> ofAll = new ArrayList<>();
    private final Map<String, List<HeadersInterceptor>> byMethod = new HashMap<>();

    void add(HeadersInterceptor interceptor) {
      ofAll.add(interceptor);
    }

    void add(ServerServiceDefinition service, List<HeadersInterceptor> interceptors) {
      if (interceptors.isEmpty()) {
        return;
      }
      for (ServerMethodDefinition<?, ?> each : service.methods()) {
        byMethod.put(each.method().fullMethodName(), interceptors);
      }
    }

    HeadersInterceptors build() {
      return new HeadersInterceptors(ofAll, byMethod);
    }
  }
}
