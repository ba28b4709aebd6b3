package dev.gannet.client.resolver;

import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.util.List;

/** Creates resolvers for targets that are files of Unix domain sockets: {@code unix:}. */
record UnixPathProvider() implements NameResolverProvider {
  @Override
  public String scheme() {
    return "unix";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public String authority(Target target) {
    addressOf(target);
    return "localhost";
  }

  @Override
  public boolean bringsServiceConfig() {
    return false;
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new FixedResolver(Resolution.of(List.of(Endpoint.of(addressOf(target)))));
  }

  private static UnixDomainSocketAddress addressOf(Target target) {
    if (!target.authority().isEmpty()) {
      throw bad(target, "its scheme does not allow '//" + target.authority() + "'");
    }
    if (target.endpoint().isEmpty()) {
      throw bad(target, "the path is missing");
    }
    try {
      return UnixDomainSocketAddress.of(target.path());
    } catch (InvalidPathException e) {
      throw bad(target, e.getReason());
    }
  }

  private static IllegalArgumentException bad(Target target, String why) {
    return new IllegalArgumentException(
        "not the path of a socket, such as unix:run/service.sock or unix:///run/service.sock: '"
            + target
            + "': "
            + why);
  }
}
