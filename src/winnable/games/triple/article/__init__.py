"""What the article on 马了个马 tells of its player, for comparison."""
