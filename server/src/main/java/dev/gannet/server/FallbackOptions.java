package dev.gannet.server;

import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a server's builder puts around the methods of a registry. A method of a service that was
 * also added to the builder is not served without the checks of that service. Immutable.
 *
 * @param interceptors of the server, outside those of its services
 * @param byService the options of each service that was added, by {@code package.Service}. It may
 *     have been added in parts with different options: all of them apply to its further methods
 */
record FallbackOptions(
    List<ServerInterceptor> interceptors, Map<String, List<ServiceOptions>> byService) {
  static final FallbackOptions NONE = new FallbackOptions(List.of(), Map.of());

  /**
   * The method with the options of the services that it belongs to: that of the name by which it
   * was found, and that of its descriptor, which need not be the same.
   *
   * @param ofRegistry the options of the registry that has it, inside those of the services
   */
  ServerMethodDefinition<?, ?> applyTo(
      String fullMethodName, ServerMethodDefinition<?, ?> method, ServiceOptions ofRegistry) {
    String ofDescriptor = method.method().serviceName();
    Stream<ServiceOptions> ofServices =
        Stream.of(serviceOf(fullMethodName), ofDescriptor)
            .flatMap(service -> byService.getOrDefault(service, List.of()).stream());
    List<ServiceOptions> all = Stream.concat(ofServices, Stream.of(ofRegistry)).distinct().toList();
    ServerServiceDefinition alone = ServerServiceDefinition.of(ofDescriptor, List.of(method));
    for (ServiceOptions innermostFirst : all.reversed()) {
      alone = innermostFirst.applyTo(alone);
    }
    return ServerInterceptor.intercept(alone, interceptors).methods().getFirst();
  }

  private static String serviceOf(String fullMethodName) {
    return fullMethodName.substring(0, Math.max(0, fullMethodName.lastIndexOf('/')));
  }

  /** Collects the options while services are added. Not safe for concurrent use. */
  static final class Builder {
    private final Map<String, List<ServiceOptions>> byService = new HashMap<>();

    void add(String service, ServiceOptions options) {
      byService.computeIfAbsent(service, name -> new ArrayList<>()).add(options);
    }

    FallbackOptions build(List<ServerInterceptor> interceptors) {
      Map<String, List<ServiceOptions>> copy = new HashMap<>(byService);
      copy.replaceAll((service, all) -> List.copyOf(all));
      return new FallbackOptions(List.copyOf(interceptors), Map.copyOf(copy));
    }
  }
}
