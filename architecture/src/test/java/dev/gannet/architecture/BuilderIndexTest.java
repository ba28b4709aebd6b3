package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.ServerBuilder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of settings by subject, in the Javadoc of each builder, has all of them. */
final class BuilderIndexTest {
  private static final Pattern LINK = Pattern.compile("\\{@link\\s+(?:\\* )?#(\\w+)}");

  @ParameterizedTest
  @ValueSource(classes = {ManagedChannelBuilder.class, ServerBuilder.class})
  void eachSettingIsInTheTable(Class<?> builder) throws IOException {
    Set<String> settings =
        Arrays.stream(builder.getMethods())
            .filter(it -> it.getReturnType() == builder)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(settings).hasSizeGreaterThan(30); // it has looked
    assertThat(inTable(builder)).isEqualTo(settings);
  }

  private static Set<String> inTable(Class<?> builder) throws IOException {
    String module = builder == ServerBuilder.class ? "server" : "client";
    String source =
        Files.readString(
            Path.of("..", module, "src/main/java")
                .resolve(builder.getName().replace('.', '/') + ".java"));
    String table =
        source.substring(source.indexOf("<table"), source.indexOf("</table>")).replace("\n *", "");
    Set<String> names = new TreeSet<>();
    Matcher links = LINK.matcher(table);
    while (links.find()) {
      names.add(links.group(1));
    }
    return names;
  }
}
