import com.marcnuri.helm.Helm;
import java.nio.file.Path;

/** `helm template CHART [--namespace NAME] [--set NAME=VALUE …] [--values FILE …]` and `helm lint CHART`, by Helm's own library: to build its command takes minutes. */
public class HelmLauncher {
  public static void main(String[] args) {
    try {
      var chart = new Helm(Path.of(args[1]));
      if (args[0].equals("lint")) {
        var result = chart.lint().strict().call();
        System.out.println(String.join("\n", result.getMessages()));
        System.exit(result.isFailed() ? 1 : 0);
      }
      var template = chart.template().withName("release").withKubeVersion("1.34.0");
      for (int i = 2; i < args.length; i += 2) {
        String value = args[i + 1];
        int equals = value.indexOf('=');
        switch (args[i]) {
          case "--namespace" -> template.withNamespace(value);
          case "--values" -> template.withValuesFile(Path.of(value));
          case "--set" -> template.set(value.substring(0, equals), value.substring(equals + 1));
          default -> throw new IllegalArgumentException("not known here: " + args[i]);
        }
      }
      System.out.print(template.call());
      System.exit(0);
    } catch (RuntimeException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }
}
