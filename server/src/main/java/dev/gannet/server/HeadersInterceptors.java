package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The interceptors of headers in a server's builder, of both kinds. Immutable.
 *
 * @param ofAll see the calls of all methods, before the interceptors of one service
 * @param byMethod the interceptors of a method's service, by {@code package.Service/Method}; a
 *     method of a service without any is not in it
 */
record HeadersInterceptors(
    List<AsyncHeadersInterceptor> ofAll, Map<String, List<AsyncHeadersInterceptor>> byMethod) {
  static final HeadersInterceptors NONE = new HeadersInterceptors(List.of(), Map.of());

  /** What interceptors return that do not wait: one object, so that calls need none. */
  static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  /** The same interceptor in the form of those that may wait. */
  static AsyncHeadersInterceptor atOnce(HeadersInterceptor interceptor) {
    return new AtOnce(interceptor);
  }

  /** An interceptor that has always completed its check; equal by its interceptor. */
  private record AtOnce(HeadersInterceptor interceptor) implements AsyncHeadersInterceptor {
    @Override
    public CompletionStage<Void> onHeaders(CallContext call, Metadata headers) {
      interceptor.onHeaders(call, headers);
      return DONE;
    }
  }

  HeadersInterceptors {
    ofAll = List.copyOf(ofAll);
    byMethod = Map.copyOf(byMethod);
  }

  /** The interceptors of a method's calls, the first one first; the same list if none is added. */
  List<AsyncHeadersInterceptor> of(MethodDescriptor<?, ?> method) {
    List<AsyncHeadersInterceptor> own = byMethod.getOrDefault(method.fullMethodName(), List.of());
    if (own.isEmpty()) {
      return ofAll;
    }
    List<AsyncHeadersInterceptor> both = new ArrayList<>(ofAll);
    both.addAll(own);
    return List.copyOf(both);
  }

  /** Collects them while services are added. Not safe for concurrent use. */
  static final class Builder {
    private final List<AsyncHeadersInterceptor> ofAll = new ArrayList<>();
    private final Map<String, List<AsyncHeadersInterceptor>> byMethod = new HashMap<>();

    void add(AsyncHeadersInterceptor interceptor) {
      ofAll.add(interceptor);
    }

    void add(ServerServiceDefinition service, List<AsyncHeadersInterceptor> interceptors) {
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
