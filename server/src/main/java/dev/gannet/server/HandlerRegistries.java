package dev.gannet.server;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.List;
import java.util.Optional;

/** The registries of a builder as one: the first one added is asked first. Immutable. */
record HandlerRegistries(List<HandlerRegistry> all) implements HandlerRegistry {
  /** One registry, or none, stays what it is. */
  static Optional<HandlerRegistry> of(List<HandlerRegistry> all) {
    return all.size() > 1
        ? Optional.of(new HandlerRegistries(List.copyOf(all)))
        : all.stream().findFirst();
  }

  @Override
  public Optional<ServerMethodDefinition<?, ?>> find(String fullMethodName) {
    for (HandlerRegistry each : all) {
      Optional<ServerMethodDefinition<?, ?>> found = each.find(fullMethodName);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return all.stream().flatMap(it -> it.services().stream()).toList();
  }
}
