package dev.gannet.examples.extending;

import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Resolves {@code file:///etc/servers/greeter.example.com} to the addresses in that file. The name
 * of the file is the name of the servers: their certificates must contain it.
 *
 * @param interval how often the file is read
 */
public record FileResolverProvider(Duration interval) implements NameResolverProvider {
  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public String authority(Target target) {
    return Path.of(target.path()).toFile().getName();
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new FileResolver(Path.of(target.path()), interval, context);
  }
}
